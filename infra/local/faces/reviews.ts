import { methodNotAllowed } from "../api-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ApiRequest, ApiResponse, ApiUser } from "../resource-type.ts";
import { json } from "./answer.ts";
import { objectOf } from "./body.ts";

const ROOT = /^\/apis\/(authentication|authorization)\.k8s\.io\/v1\/(\w+)$/;
const LOCAL = /^\/apis\/(authorization)\.k8s\.io\/v1\/namespaces\/[^/]+\/(localsubjectaccessreviews)$/;
const REASON =
  "the local API lets everybody who holds its token do everything; RBAC objects are stored, not enforced";

type Answer = (user: ApiUser, given: JsonObject) => JsonObject;
const answers: Readonly<Record<string, Answer>> = {
  "authentication/selfsubjectreviews": (user) => ({ userInfo: infoOf(user) }),
  "authorization/selfsubjectaccessreviews": () => ({ allowed: true, reason: REASON }),
  "authorization/localsubjectaccessreviews": () => ({ allowed: true, reason: REASON }),
  "authorization/subjectaccessreviews": () => ({ allowed: true, reason: REASON }),
  "authorization/selfsubjectrulesreviews": () => ({
    resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    incomplete: false,
  }),
};

const infoOf = ({ username, uid, groups, extra }: ApiUser): JsonObject => ({
  username,
  ...(uid === undefined ? {} : { uid }),
  groups,
  ...(extra === undefined ? {} : { extra }),
});

/** Access reviews: questions about rights, and who one is. */
export function answerReview(request: ApiRequest): ApiResponse | undefined {
  const match = ROOT.exec(request.path) ?? LOCAL.exec(request.path);
  const answer = match === null ? undefined : answers[`${match[1]}/${match[2]}`];
  if (match === null || answer === undefined) return undefined;
  if (request.method !== "POST") throw methodNotAllowed();
  const given = objectOf(request);
  const metadata = { creationTimestamp: null, ...(isObject(given.metadata) ? given.metadata : {}) };
  return json({ ...given, metadata, status: answer(request.user, given) }, 201);
}
