import { hash } from "node:crypto";
import type { AdmissionDeclaration, Verdict } from "../function/admission-declaration.ts";
import { DeclarationError } from "../function/system.ts";
import { isRecord } from "../json/fields.ts";
import type { AdmissionRequest, AdmissionResponse } from "../kube/admission-review.ts";
import type { KubeClient } from "../kube/client.ts";
import type { AnyObject } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { parseObject, UnreadableObjectError } from "../kube/read.ts";
import { admissionPatch } from "./admission-patch.ts";
import { KnownObjects } from "./known-objects.ts";
import { createReader } from "./reads.ts";
import { Recorder } from "./recorder.ts";
import { questionRights } from "./rights.ts";

/** The parts that answer a question. */
export interface QuestionParts {
  readonly client: KubeClient;
  /** The admission's configuration, parsed. */
  readonly configuration: unknown;
  /** Aborted where the API server waits no longer. */
  readonly signal: AbortSignal;
  /** Absent: the whole cluster. */
  readonly namespaces?: readonly string[] | undefined;
}

const OPERATIONS = { CREATE: "create", UPDATE: "update", DELETE: "delete" } as const;
const REASONS = {
  400: "BadRequest",
  403: "Forbidden",
  409: "Conflict",
  422: "Invalid",
  500: "InternalError",
} as const;

/**
 * Answers one question of the API server: reads by `observe`, decides by `admit`, and makes the patch. What cannot be read rejects: then
 * there is no answer, and the registration's failure policy counts.
 */
export async function answerQuestion(
  admission: AdmissionDeclaration,
  request: AdmissionRequest,
  parts: QuestionParts,
): Promise<AdmissionResponse> {
  const { uid } = request;
  const asked = request.operation === "CONNECT" ? undefined : OPERATIONS[request.operation];
  const isOurs =
    request.kind.group === admission.kind.group &&
    request.kind.kind === admission.kind.kind &&
    (request.subResource ?? "") === "";
  if (!isOurs || asked === undefined || !admission.operations.includes(asked))
    return denied(uid, {
      allowed: false,
      code: 400,
      message: `${admission.name} answers for ${admission.operations.join(" and ")} of ${admission.kind.kind}, and was asked about ${request.operation} of ${request.kind.kind}${request.subResource ? `/${request.subResource}` : ""}: register it anew`,
    });
  const told = readReview(admission, request, asked);
  if ("response" in told) return told.response;
  const { review } = told;
  const world = await observe(admission, review, parts);
  const verdict = admission.admit(
    { ...review, ...world } as never,
    { config: parts.configuration, uid: (purpose: string) => idOf(admission.name, uid, purpose) } as never,
  );
  return respond(admission, request, verdict);
}

interface AnyReview {
  readonly operation: "create" | "update" | "delete";
  readonly object?: AnyObject | undefined;
  readonly old?: AnyObject | undefined;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  readonly dryRun: boolean;
}

/** The review as `observe` and `admit` see it, or the answer where its objects cannot be read. */
function readReview(
  { kind }: AdmissionDeclaration,
  request: AdmissionRequest,
  operation: AnyReview["operation"],
): { readonly review: AnyReview } | { readonly response: AdmissionResponse } {
  const { uid, dryRun, userInfo } = request;
  const parse = (raw: AdmissionRequest["object"]): AnyObject | undefined =>
    raw === undefined || raw === null ? undefined : parseObject(kind, completed(request, raw));
  let [object, old]: (AnyObject | undefined)[] = [];
  try {
    old = parse(request.oldObject);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableObjectError)) throw thrown;
    // Whoever mends it must not be kept from that.
    const warning = `${thrown.message}. As it was it cannot be read, so this change was not judged`;
    return { response: { uid, allowed: true, warnings: [warning] } };
  }
  try {
    object = parse(request.object);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableObjectError)) throw thrown;
    // An object that ends is let go, whatever stands in it: its last finalizer must come off.
    if (old?.metadata.deletionTimestamp !== undefined) return { response: { uid, allowed: true } };
    return { response: denied(uid, { allowed: false, code: 422, message: thrown.message }) };
  }
  const user = { name: userInfo.username, groups: userInfo.groups ?? [] };
  const review: AnyReview = { operation, user, dryRun: dryRun === true };
  if (operation === "delete") return { review: { ...review, old } };
  return { review: operation === "create" ? { ...review, object } : { ...review, object, old } };
}

/** An object that is being created may lack its name, and the server tells its place beside it. */
function completed(
  { namespace, kind: { group, version, kind } }: AdmissionRequest,
  raw: NonNullable<AdmissionRequest["object"]>,
): KubeObject {
  const { metadata, ...rest } = raw;
  return {
    apiVersion: group === "" ? version : `${group}/${version}`,
    kind,
    ...rest,
    metadata: {
      ...(namespace !== undefined && namespace !== "" && { namespace }),
      ...metadata,
      name: metadata.name ?? "",
    },
  };
}

async function observe(
  admission: AdmissionDeclaration,
  review: AnyReview,
  { client, configuration, signal, namespaces }: QuestionParts,
): Promise<object> {
  if (admission.observe === undefined) return {};
  const refuse = (): never => {
    throw new DeclarationError(
      "UNDECLARED_READ",
      `${admission.name} reads a slot: an admission reads kinds.`,
    );
  };
  const read = createReader({
    declaration: admission,
    slots: { kindFor: refuse, lookUp: refuse, forget: refuse },
    client,
    rights: questionRights(admission),
    recorder: new Recorder(),
    signal,
    known: new KnownObjects(admission.name),
    namespaces,
  });
  const observed = await admission.observe({ ...review, read, config: configuration } as never);
  return isRecord(observed) ? observed : {};
}

function respond(
  admission: AdmissionDeclaration,
  request: AdmissionRequest,
  verdict: Verdict,
): AdmissionResponse {
  const { uid, operation, object } = request;
  if (!verdict.allowed) return denied(uid, verdict);
  const { change, warnings } = verdict;
  const patch =
    change === undefined || operation === "DELETE" ? [] : admissionPatch(admission, object, change);
  if (patch.length > 0 && admission.webhook.type === "Validating")
    throw new DeclarationError(
      "ADMISSION_CHANGE",
      `${admission.name} changes what it allows, and is registered as Validating: leave out webhook.type, or the change.`,
    );
  return {
    uid,
    allowed: true,
    ...(warnings.length > 0 && { warnings }),
    ...(patch.length > 0 && { patch }),
  };
}

const denied = (uid: string, { code, message }: Extract<Verdict, { allowed: false }>): AdmissionResponse => ({
  uid,
  allowed: false,
  status: { code, reason: REASONS[code], message },
});

/** A UUID of that request, admission and purpose: asked again, the same. */
function idOf(admission: string, request: string, purpose: string): string {
  const text = hash("sha256", JSON.stringify([admission, request, purpose]));
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    `8${text.slice(13, 16)}`,
    `a${text.slice(17, 20)}`,
    text.slice(20, 32),
  ].join("-");
}
