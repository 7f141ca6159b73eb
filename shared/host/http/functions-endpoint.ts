import type { Clock } from "../../clock/clock.ts";
import { type FunctionConsole, InvocationError, unknownFunction } from "../console/index.ts";
import { answer, type FetchHandler, HttpError } from "./answer.ts";
import { malformed, readBody } from "./body.ts";
import { callerOf, type KnownCaller } from "./caller.ts";
import { readCloudEvents } from "./cloud-events.ts";
import { inTime } from "./publish.ts";

export interface FunctionsEndpointParts {
  readonly console: FunctionConsole;
  readonly callers: readonly KnownCaller[];
  readonly clock: Clock;
  readonly maximumBody: number;
  /** The time to wait for a run before the answer says that it has not ended. */
  readonly waitMilliseconds?: number | undefined;
}

/** The one name of the query: `true` or `false`. */
export const DRY_RUN = "dry-run";

const PATH = /^\/functions(?:\/([^/]+)\/invoke)?\/?$/;
/** Beyond the wait for the run itself: the bus does not answer. */
const SPARE = 5_000;

/** `GET /functions`: which there are and what wakes them. */
export function functionsEndpoint(parts: FunctionsEndpointParts): FetchHandler {
  return async (request) => {
    await callerOf(request, parts.callers, "invoke");
    return answer(200, { functions: parts.console.functions });
  };
}

/**
 * `POST /functions/<name>/invoke`: hands an event to a function; with `?dry-run=true` nothing is written. 200 with what it saw,
 * decided and wrote; 202 where it has not run yet.
 */
export function invokeEndpoint(parts: FunctionsEndpointParts): FetchHandler {
  const { console, callers, clock, maximumBody, waitMilliseconds = 25_000 } = parts;
  return async (request) => {
    const caller = await callerOf(request, callers, "invoke");
    const url = new URL(request.url);
    const name = nameOf(url.pathname);
    const dry = url.searchParams.get(DRY_RUN) ?? "false";
    const known = console.functions.map((one) => one.name);
    // Before the body is read: what stands there is of no concern.
    if (!known.includes(name)) throw refused(unknownFunction(name, known));
    if (dry !== "true" && dry !== "false") throw malformed([`?${DRY_RUN}: expected true or false`]);
    const [event, ...more] = readCloudEvents(request, await readBody(request, maximumBody), clock);
    if (event === undefined || more.length > 0) throw malformed(["(body): expected one event"]);
    const options = {
      dryRun: dry === "true",
      askedBy: caller.name,
      signal: request.signal,
      waitMilliseconds,
    };
    const invoked = console.invoke(name, event, options).catch((thrown: unknown) => {
      throw thrown instanceof InvocationError ? refused(thrown) : thrown;
    });
    const invocation = await inTime(invoked, clock, waitMilliseconds + SPARE);
    const isOver = invocation.runs.every(({ state }) => state === "ended");
    return answer(isOver ? 200 : 202, invocation);
  };
}

function nameOf(path: string): string {
  try {
    return decodeURIComponent(PATH.exec(path)?.[1] ?? "");
  } catch (thrown) {
    throw new HttpError("HTTP_NOT_FOUND", "No function has a name that is not percent-encoded UTF-8.", {
      cause: thrown,
    });
  }
}

function refused({ code, message, issues }: InvocationError): HttpError {
  switch (code) {
    case "INVOKE_FUNCTION_UNKNOWN":
      return new HttpError("HTTP_NOT_FOUND", message);
    case "INVOKE_TYPE_UNKNOWN":
      return new HttpError("HTTP_UNKNOWN_TYPE", message, { issues });
    default:
      return malformed(issues);
  }
}
