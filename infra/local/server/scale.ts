import { fault } from "../../../shared/kube/validation/fault.ts";
import { ApiError, invalid, methodNotAllowed, notFound } from "../api-error.ts";
import { clone, isObject } from "../json.ts";
import { load } from "../kernel.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import { mergePatch } from "../patch/merge-patch.ts";
import type { ApiObject, ApiRequest, ApiResponse, ResourceType } from "../resource-type.ts";
import { scaleOf, withScale } from "../rest/scale.ts";
import { update } from "../rest/update.ts";
import { decodeObject, mediaType } from "./body.ts";
import { writeRequest } from "./options.ts";
import { encoded, presentationOf, showObject } from "./present.ts";
import type { Route } from "./route.ts";
import { header, ok, type Service, tableContext } from "./service.ts";

/** Reads and writes `/scale`. */
export function answerScale(
  service: Service,
  request: ApiRequest,
  route: Route,
  warnings: string[],
): ApiResponse {
  const { kernel } = service;
  const { type, namespace } = route;
  const name = route.name ?? "";
  const live = load(kernel, type, namespace, name);
  if (live === undefined) throw notFound(type, name);
  if (request.method === "GET") return shown(service, request, type, scaleOf(type, live));
  const write = writeRequest(request, route, warnings);
  let scale: ApiObject;
  if (request.method === "PUT")
    scale = decodeObject(
      request.body,
      mediaType(header(request, "content-type")),
      "Scale",
      service.faces.decodeProtobuf,
    );
  else if (request.method === "PATCH") scale = patchedScale(type, live, request);
  else throw methodNotAllowed();
  requireReplicas(type, name, scale);
  const next = update(kernel, write, live, withScale(type, clone(live), scale));
  return ok(200, JSON.stringify(scaleOf(type, next)));
}

/** Fewer than none cannot be asked for. Kinds of the server's own and custom ones say so in different words. */
function requireReplicas(type: ResourceType, name: string, { spec }: ApiObject): void {
  const replicas = isObject(spec) ? spec.replicas : undefined;
  if (typeof replicas !== "number" || replicas >= 0) return;
  if (!type.custom) {
    const why = "must be greater than or equal to 0";
    throw invalid("autoscaling", "Scale", name, [fault.invalid("spec.replicas", replicas, why)]);
  }
  const field = type.subresources.scale?.specReplicasPath ?? ".spec.replicas";
  throw invalid(type.group, type.kind, name, [
    fault.invalid(field, replicas, "should be a non-negative integer"),
  ]);
}

function patchedScale(type: ResourceType, live: ApiObject, request: ApiRequest): ApiObject {
  const before = { ...withSpec(type, live) };
  const document = JSON.parse(Buffer.from(request.body).toString()) as unknown;
  const contentType = mediaType(header(request, "content-type"));
  const after =
    contentType === "application/json-patch+json"
      ? jsonPatch(before, document)
      : mergePatch(before, document);
  return after as ApiObject;
}

/** The present scale; one without replicas begins at 0. */
function withSpec(type: ResourceType, live: ApiObject): ApiObject {
  try {
    return scaleOf(type, live);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { ...live.metadata }, spec: {} };
  }
}

/** A scale, as a table where one is asked for. */
function shown(service: Service, request: ApiRequest, type: ResourceType, scale: ApiObject): ApiResponse {
  const presentation = presentationOf(header(request, "accept"), false, service.faces.tableOf !== undefined);
  const asScale: ResourceType = type.custom ? type : { ...type, group: "autoscaling", kind: "Scale" };
  const { type: contentType, body } = encoded(
    showObject(asScale, presentation, tableContext(service, request))(JSON.stringify(scale)),
    presentation,
  );
  return ok(200, body, contentType);
}
