import { createHash, randomUUID } from "node:crypto";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { ApiError, badRequest, invalid, methodNotAllowed, notFound } from "../api-error.ts";
import { isObject } from "../json.ts";
import type { ApiRequest, ApiResponse, FaceContext } from "../resource-type.ts";
import { json } from "./answer.ts";
import { objectOf } from "./body.ts";

const PATH = /^\/api\/v1\/namespaces\/([^/]+)\/serviceaccounts\/([^/]+)\/token$/;
const DEFAULT_SECONDS = 3600;
const LEAST_SECONDS = 600;

/**
 * TokenRequest: a token in the form of a JWT that names the service account. Nobody signs it and this API does not take
 * it as credentials, so it opens nothing; tools that only want to see or mount one go on.
 */
export function answerTokenRequest(request: ApiRequest, context: FaceContext): ApiResponse | undefined {
  const match = PATH.exec(request.path);
  if (match === null) return undefined;
  if (request.method !== "POST") throw methodNotAllowed();
  const [, namespace = "", name = ""] = match;
  const type = context.registry.find("", "v1", "serviceaccounts");
  const account = type === undefined ? undefined : context.get(type, namespace, name);
  if (account === undefined) throw notFound({ group: "", plural: "serviceaccounts" }, name);
  const given = objectOf(request);
  const spec = isObject(given.spec) ? given.spec : {};
  requireBoundObject(spec.boundObjectRef, namespace, context);
  const seconds = typeof spec.expirationSeconds === "number" ? spec.expirationSeconds : DEFAULT_SECONDS;
  if (seconds < LEAST_SECONDS)
    throw invalid("authentication.k8s.io", "TokenRequest", "", [
      fault.invalid("spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes"),
    ]);
  const now = Math.floor(context.now() / 1000);
  const audiences = Array.isArray(spec.audiences) && spec.audiences.length > 0 ? spec.audiences : ["local"];
  const claims = {
    aud: audiences,
    exp: now + seconds,
    iat: now,
    nbf: now,
    iss: "local",
    jti: randomUUID(),
    sub: `system:serviceaccount:${namespace}:${name}`,
    "kubernetes.io": { namespace, serviceaccount: { name, uid: account.metadata.uid } },
  };
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const unsigned = `${part({ alg: "none", typ: "JWT" })}.${part(claims)}`;
  const token = `${unsigned}.${createHash("sha256").update(unsigned).digest("base64url")}`;
  return json(
    {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: {
        name,
        namespace,
        creationTimestamp: new Date(now * 1000).toISOString().replace(/\.\d+Z$/, "Z"),
      },
      spec: { ...spec, audiences, expirationSeconds: seconds },
      status: {
        token,
        expirationTimestamp: new Date((now + seconds) * 1000).toISOString().replace(/\.\d+Z$/, "Z"),
      },
    },
    201,
  );
}

const BINDABLE: Readonly<Record<string, string>> = { Node: "nodes", Pod: "pods", Secret: "secrets" };

/** A token may hang on an object, which then has to be there. Throws the 400, 404 and 409 of the real server. */
function requireBoundObject(reference: unknown, namespace: string, { registry, get }: FaceContext): void {
  if (!isObject(reference)) return;
  const { kind = "", apiVersion = "", name = "", uid = "" } = reference;
  const plural = BINDABLE[String(kind)];
  const type = apiVersion === "v1" && plural !== undefined ? registry.find("", "v1", plural) : undefined;
  if (type === undefined) {
    const version = String(apiVersion).includes("/") ? String(apiVersion) : `/${String(apiVersion)}`;
    throw badRequest(`cannot bind token to object of type ${version}, Kind=${String(kind)}`);
  }
  const found = get(type, type.namespaced ? namespace : undefined, String(name));
  if (found === undefined) throw notFound(type, String(name));
  if (uid !== "" && uid !== found.metadata.uid)
    throw new ApiError(
      409,
      "Conflict",
      `Operation cannot be fulfilled on ${type.kind} "${String(name)}": the UID in the bound object reference (${String(uid)}) does not match the UID in record. The object might have been deleted and then recreated`,
      { details: { name: String(name), kind: type.kind } },
    );
}
