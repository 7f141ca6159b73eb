import { nearest } from "../../../events/nearest.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { answer, type FetchHandler, HttpError, refusal } from "./answer.ts";
import { malformed } from "./body.ts";
import { SecretError } from "./secret.ts";

/** The handlers of a path, with the names that its query may hold. */
export interface Taken {
  readonly methods: Readonly<Record<string, FetchHandler>>;
  readonly query?: readonly string[];
}

/** The path of a request, without the slash that it may end with. */
export function pathOf({ url }: Request): string {
  const { pathname } = new URL(url);
  return pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname;
}

/** Serves what is taken at each path. It never rejects: what fails is an answer, and a line of the log. */
export const serving =
  (takenAt: (path: string) => Taken | undefined, log: Log): FetchHandler =>
  async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    try {
      const taken = takenAt(pathOf(request));
      if (taken === undefined)
        throw new HttpError("HTTP_NOT_FOUND", `Nothing is at ${pathname.slice(0, 256)}.`);
      const { methods, query } = taken;
      const handler = methods[request.method];
      if (handler === undefined)
        throw new HttpError("HTTP_METHOD", `${pathname} takes ${Object.keys(methods).join(", ")}.`, {
          headers: { allow: Object.keys(methods).join(", ") },
        });
      refuseUnknown(searchParams, query);
      return await handler(request);
    } catch (thrown) {
      return answerTo(thrown, { log, path: pathname, method: request.method });
    }
  };

/** A misspelt question would be answered as if it had not been asked: a dry run would be a real one. */
function refuseUnknown(query: URLSearchParams, known: readonly string[] = []): void {
  const names = [...new Set(query.keys())];
  const issues = names.flatMap((name) => {
    const shown = name.slice(0, 64);
    if (known.includes(name))
      return query.getAll(name).length > 1 ? [`?${shown}: is said more than once`] : [];
    const meant = nearest(name, known);
    const hint =
      meant !== undefined
        ? `did you mean ${meant}?`
        : `there ${known.length === 0 ? "is none here" : `is ${known.join(", ")}`}`;
    return [`?${shown}: is unknown; ${hint}`];
  });
  if (issues.length > 0) throw malformed(issues);
}

function answerTo(
  thrown: unknown,
  { log, ...at }: { readonly log: Log; readonly path: string; readonly method: string },
): Response {
  if (thrown instanceof HttpError) {
    const { code, message, cause } = thrown;
    const fields = { ...at, code, ...(cause !== undefined && { reason: messageOf(cause) }) };
    if (thrown.status >= 500) log.error(fields, message);
    else log.warn(fields, message);
    return refusal(thrown);
  }
  if (thrown instanceof SecretError) {
    log.error({ ...at, code: thrown.code }, thrown.message);
    return refusal(
      new HttpError(
        "SECRET_UNREADABLE",
        "The secret that would prove you cannot be read here now; the log of this server says why. Send it again later.",
        { headers: { "retry-after": "30" } },
      ),
    );
  }
  log.error({ ...at, err: thrown }, "a request failed");
  return answer(500, { code: "UNEXPECTED", message: "It failed here; the log of this server says why." });
}
