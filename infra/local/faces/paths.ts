import type { Face } from "../resource-type.ts";
import { answerDiscovery, answerRoot } from "./discovery.ts";
import { answerOpenApi } from "./openapi/serve.ts";
import { answerReview } from "./reviews.ts";
import { answerServerFacts } from "./server-facts.ts";
import { answerTokenRequest } from "./tokens.ts";

/** All paths that are no resources. */
export const paths: Face = (request, context) =>
  answerServerFacts(request) ??
  answerRoot(request, context.registry) ??
  answerDiscovery(request, context.registry) ??
  answerOpenApi(request, context.registry) ??
  answerReview(request) ??
  answerTokenRequest(request, context);
