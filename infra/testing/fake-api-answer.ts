import type { ServerResponse } from "node:http";
import type { Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

/** One request as the server saw it. `probe`: a list of one item, which asks whether a version is known. */
export interface SeenRequest {
  readonly verb: "get" | "list" | "probe" | "watch" | "create" | "replace" | "other";
  readonly path: string;
  readonly query: URLSearchParams;
  readonly metadataOnly: boolean;
}

/** A change of one object. */
export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
  readonly before: KubeObject | undefined;
}

/** One watch that is open. */
export interface Stream {
  readonly response: ServerResponse;
  readonly kind: ServedKind;
  readonly namespace: string | undefined;
  readonly query: URLSearchParams;
  readonly metadataOnly: boolean;
}

/** A kind that is served, with its objects and what became of them. */
export interface ServedKind {
  readonly resource: Resource;
  objects: Map<string, KubeObject>;
  changes: Change[];
  /** Watches from before this version are expired. */
  oldest: number;
}

export function verbOf(
  method: string,
  query: URLSearchParams,
  name: string | undefined,
): SeenRequest["verb"] {
  if (method === "POST") return "create";
  if (method === "PUT") return "replace";
  if (method !== "GET") return "other";
  if (name !== undefined) return "get";
  if (query.get("watch") !== null) return "watch";
  return query.get("limit") === "1" ? "probe" : "list";
}

/** An object as it is told to those who asked for metadata alone. */
export const metadataOf = ({ metadata }: KubeObject): KubeObject => ({
  apiVersion: "meta.k8s.io/v1",
  kind: "PartialObjectMetadata",
  metadata,
});

/** Label selectors of the form `a=b,c=d`, and the field `metadata.name`. */
export function isSelected(
  object: KubeObject,
  namespace: string | undefined,
  query: URLSearchParams,
): boolean {
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
  const labels = (query.get("labelSelector") ?? "").split(",").filter((term) => term !== "");
  const fields = (query.get("fieldSelector") ?? "").split(",").filter((term) => term !== "");
  return (
    labels.every((term) => object.metadata.labels?.[term.split("=")[0] ?? ""] === term.split("=").at(-1)) &&
    fields.every((term) => term === `metadata.name=${object.metadata.name}`)
  );
}

export function send({ response, namespace, query, metadataOnly }: Stream, change: Change): void {
  const is = isSelected(change.object, namespace, query);
  const was = change.before !== undefined && isSelected(change.before, namespace, query);
  let type: Change["type"] = change.type;
  let { object } = change;
  if (change.type === "DELETED") {
    if (!was) return;
  } else if (is) type = was ? "MODIFIED" : "ADDED";
  else if (was && change.before !== undefined) {
    // What leaves a selector is told as deleted: the old object under the new version.
    type = "DELETED";
    object = {
      ...change.before,
      metadata: { ...change.before.metadata, resourceVersion: change.object.metadata.resourceVersion },
    };
  } else return;
  response.write(`${JSON.stringify({ type, object: metadataOnly ? metadataOf(object) : object })}\n`);
}

export function json(response: ServerResponse, code: number, body: unknown): ServerResponse {
  response.writeHead(code, { "content-type": "application/json" });
  return response.end(JSON.stringify(body));
}

/** Answers in plain text, as the server does for unknown paths and when it is throttled. */
export function text(
  response: ServerResponse,
  code: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ServerResponse {
  response.writeHead(code, { "content-type": "text/plain", ...headers });
  return response.end(body);
}

/** Answers with a Status. */
export function refuse(
  response: ServerResponse,
  code: number,
  reason: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  metadata: Readonly<Record<string, unknown>> = {},
): ServerResponse {
  return json(response, code, {
    apiVersion: "v1",
    kind: "Status",
    metadata,
    status: "Failure",
    code,
    reason,
    message,
    details,
  });
}
