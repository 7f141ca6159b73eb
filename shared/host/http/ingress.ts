import type { EventDefinition } from "../../../events/index.ts";
import { nearest } from "../../../events/nearest.ts";
import type { Bus } from "../../bus/contract.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Trigger } from "../../function/trigger.ts";
import type { Log } from "../../log/log.ts";
import type { FunctionConsole } from "../console/index.ts";
import { answer, type FetchHandler, HttpError, refusal } from "./answer.ts";
import { MAXIMUM_BODY, malformed } from "./body.ts";
import type { KnownCaller } from "./caller.ts";
import { eventsEndpoint } from "./events-endpoint.ts";
import { DRY_RUN, functionsEndpoint, invokeEndpoint } from "./functions-endpoint.ts";
import { type Secret, SecretError } from "./secret.ts";
import { Unproven } from "./unproven.ts";
import { webhook } from "./webhook.ts";

export interface IngressParts {
  readonly bus: Pick<Bus, "publish" | "ready">;
  /** The event types that the bus knows. */
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  /** The callers that may send events and commands and invoke functions. With none, those paths answer 401. */
  readonly callers: readonly KnownCaller[];
  /** Webhooks, each with what both sides know; one without is left out. */
  readonly triggers: readonly { readonly trigger: Trigger; readonly secret: Secret }[];
  /** Absent: functions cannot be invoked. */
  readonly console?: FunctionConsole | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes of a body at most. Default: 1 MiB. */
  readonly maximumBody?: number | undefined;
  /** Bytes at most of all bodies together whose senders are not proven yet. Default: 16 MiB. */
  readonly maximumUnproven?: number | undefined;
  /** The time for which a webhook's delivery is known again. Default: three days. */
  readonly replayMilliseconds?: number | undefined;
  /** The time for which an invocation waits for its run. Default: 25 s. */
  readonly invokeMilliseconds?: number | undefined;
}

/** The handlers of a path, with the names that its query may hold. */
interface Taken {
  readonly methods: Readonly<Record<string, FetchHandler>>;
  readonly query?: readonly string[];
}

/**
 * Everything that is taken over HTTP, as one handler: `POST /events`, `POST /triggers/<name>`, `GET /functions` and
 * `POST /functions/<name>/invoke`. It never rejects: what fails is an answer, and a line of the log.
 */
export function ingress(parts: IngressParts): FetchHandler {
  const { maximumBody = MAXIMUM_BODY, log, ...rest } = parts;
  const unproven = new Unproven(parts.maximumUnproven);
  const paths = new Map<string, Taken>([
    ["/events", { methods: { POST: eventsEndpoint({ ...rest, maximumBody }) } }],
    ...parts.triggers.map((one): [string, Taken] => [
      `/triggers/${one.trigger.name}`,
      { methods: { POST: webhook({ ...rest, ...one, maximumBody, unproven }) } },
    ]),
  ]);
  const { console } = parts;
  const functions = console && {
    ...rest,
    console,
    maximumBody,
    waitMilliseconds: parts.invokeMilliseconds,
  };
  if (functions !== undefined) paths.set("/functions", { methods: { GET: functionsEndpoint(functions) } });
  const invoke = functions && { methods: { POST: invokeEndpoint(functions) }, query: [DRY_RUN] };
  const takenAt = (path: string): Taken | undefined =>
    paths.get(path) ?? (/^\/functions\/[^/]+\/invoke$/.test(path) ? invoke : undefined);

  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    try {
      const taken = takenAt(pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname);
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
}

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
