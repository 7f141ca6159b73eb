import type { Clock } from "../clock/clock.ts";
import { STATUS_CODES } from "../node-http.ts";
import { notBeforeOf } from "../requests/not-before.ts";
import { OciError, type OciErrorCode } from "./errors.ts";

const CODES: Readonly<Record<number, readonly [OciErrorCode, string]>> = {
  401: ["OCI_UNAUTHORIZED", "it refuses the credentials, or wants some: correct them"],
  403: ["OCI_UNAUTHORIZED", "these credentials may not do that: grant them the right"],
  404: ["OCI_NOT_FOUND", "it is not there"],
  413: ["OCI_TOO_LARGE", "it is larger than the registry takes"],
  429: ["OCI_RATE_LIMITED", "too many requests"],
};
/** The pause where a registry names none. */
const PAUSE = 60_000;

/** The error that an answer of an unexpected status is, told of a place: in our words, never the server's. */
export function refusal(place: string, { status, headers }: Response, clock: Clock): OciError {
  const now = clock.now();
  const said = notBeforeOf(headers, now);
  const isLimit = status === 429 || (status === 403 && said !== undefined);
  const [code, words] = CODES[isLimit ? 429 : status] ?? ["OCI_UNAVAILABLE", "it cannot answer now"];
  const notBefore = isLimit ? (said ?? now + PAUSE) : said;
  const message = `${place}: ${words} (${`${status} ${STATUS_CODES[status] ?? ""}`.trim()})`;
  return new OciError(code, message, { notBefore });
}
