import type * as z from "zod";
import { messageOf } from "../../errors.ts";
import { HttpError } from "./answer.ts";

/** Bytes of a body at most, where nobody says otherwise. */
export const MAXIMUM_BODY = 1_048_576;

const tooLarge = (maximum: number): HttpError =>
  new HttpError("HTTP_TOO_LARGE", `The body is larger than ${maximum} bytes.`, {
    headers: { connection: "close" },
  });

/**
 * The body as it was sent. What is too large is refused by its length, or as soon as it shows, before anything is parsed.
 * @param take is told of bytes before they are kept, and may throw
 */
export async function readBody(
  request: Request,
  maximum: number,
  take: (bytes: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maximum) throw tooLarge(maximum);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length > maximum) throw tooLarge(maximum);
      take(value.byteLength);
      chunks.push(value);
    }
  } catch (thrown) {
    await reader.cancel(thrown).catch(() => undefined);
    if (thrown instanceof HttpError) throw thrown;
    throw new HttpError("HTTP_MALFORMED", `The body broke off: ${messageOf(thrown)}.`, { cause: thrown });
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

/** A body as JSON; the fault is told with its place, never with what stands there. */
export function parseJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (thrown) {
    throw malformed(["(body): is not UTF-8"], thrown);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    const place = / at position \d+| end of JSON input/.exec(messageOf(thrown))?.[0] ?? "";
    // A parser's words quote what may be secret, and the cause of a refusal is logged.
    throw malformed([`(body): is no JSON${place === "" ? "" : `, ${place.trim()}`}`]);
  }
}

/** A 400 with the path of each fault. */
export const malformed = (issues: readonly string[], cause?: unknown): HttpError =>
  new HttpError("HTTP_MALFORMED", `The request is malformed: ${issues.join("; ")}.`, { issues, cause });

/** Faults of one request that are told: whoever corrects these sees the next ones. */
const MOST_FAULTS = 10;

/** A 400 with the faults that a schema finds. */
export const malformedBy = (error: z.ZodError): HttpError =>
  malformed(
    error.issues.slice(0, MOST_FAULTS).map(({ path, message }) => `${path.join(".") || "(top)"}: ${message}`),
    new Error(messageOf(error)),
  );
