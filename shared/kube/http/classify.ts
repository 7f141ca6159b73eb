import { fieldOf } from "../../json/fields.ts";
import { jsonOf } from "../../json/parse.ts";
import { KubeError, type KubeErrorKind, type KubeStatus } from "../errors.ts";
import type { Answer } from "./wire.ts";

/** The parts of a request that decide the meaning of its refusal. */
export interface RequestMeaning {
  /** Method and path. */
  readonly name: string;
  /** A JSON patch that tests something: its failed test means that the read is stale. */
  readonly tests?: boolean | undefined;
  readonly watch?: boolean | undefined;
}

/** Reads a `Status` body; the server answers some refusals as plain text. */
function statusOf(answer: Answer): KubeStatus | undefined {
  if (!answer.text.startsWith("{")) return undefined;
  // Of a cut or foreign body the HTTP status alone decides, and its text stands in the message.
  const parsed = jsonOf(answer.text);
  return fieldOf(parsed, "kind") === "Status" ? (parsed as KubeStatus) : undefined;
}

function conflictKind(message: string, status: KubeStatus | undefined): KubeErrorKind {
  if (status?.reason === "AlreadyExists") return "exists";
  if (status?.details?.causes?.some(({ reason }) => reason === "FieldManagerConflict")) return "conflict";
  return /uid mismatch|UID in (the )?precondition/.test(message) ? "gone" : "stale";
}

function serverErrorKind(message: string, watch: boolean): KubeErrorKind {
  if (/failed to create typed patch object|\.[^ ]+: field not declared in schema/.test(message))
    return "invalid";
  if (/request is too large|ResourceExhausted|trying to send message larger/.test(message)) return "invalid";
  // A watch from a version that is no number: the ledger's position is worth nothing, list again.
  if (watch && /invalid resource version|strconv\.ParseUint/i.test(message)) return "expired";
  return "unavailable";
}

function unprocessableKind(message: string, status: KubeStatus | undefined, tests: boolean): KubeErrorKind {
  if (
    status?.details?.causes?.some(
      ({ field, message: text }) => field === "metadata.uid" && /immutable/.test(text ?? ""),
    )
  )
    return "gone";
  return tests && message.includes("the server rejected our request due to an error in our request")
    ? "stale"
    : "invalid";
}

/**
 * The answer of an API server for a path that it does not know, a group without CRDs above all. Any other 404 without a Status is of
 * something in between, a proxy or a load balancer: it says nothing about the kinds that the server has.
 */
const UNKNOWN_PATH = /^404 page not found$/;

/** The meaning of a refusal; every rule was seen on a real server. */
function kindOf(
  code: number,
  status: KubeStatus | undefined,
  message: string,
  request: RequestMeaning,
): KubeErrorKind {
  const causes = status?.details?.causes ?? [];
  switch (code) {
    case 401:
      return "unauthorized";
    case 403:
      return causes.some(({ reason }) => reason === "NamespaceTerminating") ? "terminating" : "forbidden";
    case 404:
      if (status === undefined && !UNKNOWN_PATH.test(message)) return "unavailable";
      return status?.details?.name === undefined ? "kindMissing" : "missing";
    case 408:
      return "unavailable";
    case 409:
      return conflictKind(message, status);
    case 410:
      return "expired";
    case 422:
      return unprocessableKind(message, status, request.tests ?? false);
    case 429:
      return "throttled";
    case 500:
      return serverErrorKind(message, request.watch ?? false);
    case 501:
      return "invalid";
    case 504:
      return causes.some(({ reason }) => reason === "ResourceVersionTooLarge") ? "future" : "unavailable";
    default:
      return code >= 500 ? "unavailable" : "invalid";
  }
}

const advice: Readonly<Record<KubeErrorKind, string>> = {
  stale: "the object changed since it was read: read it again",
  conflict: "another field manager owns a field: give it up there, or apply with force",
  exists: "it exists already",
  gone: "the object with this uid is no longer there",
  missing: "it does not exist",
  kindMissing: "the server does not know this kind: install its CRD, or check group and version",
  expired: "this version is no longer kept: list again",
  future: "the server is behind this version: it was restored from a backup, or is another one",
  invalid: "the same request will fail again: correct it",
  forbidden: "grant this right to the user (`reveille rbac` prints the rules)",
  terminating: "the namespace is being deleted",
  unauthorized: "renew the credentials of this context",
  throttled: "the server has too many requests: try again later",
  unavailable: "the server cannot answer now: try again later",
  aborted: "the request was aborted",
};

/** The longest `Retry-After` that counts. More is a proxy's mistake: a day of it would be a day's stop. */
const LONGEST_RETRY_AFTER = 5 * 60_000;

/** `Retry-After` in milliseconds, from the header or the Status (seconds there); 5 minutes at most. */
export function retryAfterOf(answer: Answer, status?: KubeStatus | undefined): number | undefined {
  const seconds = Number(answer.headers["retry-after"] ?? status?.details?.retryAfterSeconds ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER) : undefined;
}

/**
 * The server's message. It lists what it finds invalid in an order that differs from one answer to the next: whoever stores the text
 * would store it anew each time.
 */
function messageIn(status: KubeStatus): string | undefined {
  const { message, reason, details } = status;
  const causes = details?.causes ?? [];
  const [head] = message?.split(" is invalid: ") ?? [];
  if (reason !== "Invalid" || causes.length < 2 || head === undefined || head === message) return message;
  const faults = causes.map(({ field, message: text }) => [field, text].filter(Boolean).join(": "));
  return `${head} is invalid: [${[...new Set(faults)].sort().join(", ")}]`;
}

/** Advice that a person who looks at an object can follow. What the same request would do again is for logs. */
const sentenceOf = (kind: KubeErrorKind, text: string): string =>
  kind === "invalid" ? text : `${text} (${advice[kind]})`;

/** The error for an answer that is no success. */
export function refusal(answer: Answer, request: RequestMeaning): KubeError {
  const status = statusOf(answer);
  const said = (status && messageIn(status)) ?? answer.text.slice(0, 500).trim();
  const text = said === "" ? `HTTP ${answer.status}` : said;
  const kind = kindOf(answer.status, status, text, request);
  return new KubeError(kind, `${request.name}: ${text} (${answer.status}; ${advice[kind]})`, {
    request: request.name,
    sentence: sentenceOf(kind, text),
    status:
      status === undefined
        ? { code: answer.status, message: text }
        : { ...status, code: status.code ?? answer.status },
    retryAfterMilliseconds: retryAfterOf(answer, status),
    // Somebody else's server failed: it counts under a name of its own.
    ...(kind === "unavailable" && /failed calling webhook/.test(text) && { code: "KUBE_WEBHOOK" }),
  });
}
