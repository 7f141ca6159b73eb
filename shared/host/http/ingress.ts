import type { EventDefinition } from "../../../events/index.ts";
import type { Bus } from "../../bus/contract.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Trigger } from "../../function/trigger.ts";
import type { Log } from "../../log/log.ts";
import type { FunctionConsole } from "../console/index.ts";
import { answer, type FetchHandler, HttpError, refusal } from "./answer.ts";
import { MAXIMUM_BODY } from "./body.ts";
import type { KnownCaller } from "./caller.ts";
import { eventsEndpoint } from "./events-endpoint.ts";
import { functionsEndpoint, invokeEndpoint } from "./functions-endpoint.ts";
import type { Secret } from "./secret.ts";
import { webhook } from "./webhook.ts";

export interface IngressParts {
  readonly bus: Pick<Bus, "publish" | "ready">;
  /** The event types that the bus knows. */
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  /** Who may send events and commands and invoke functions. Nobody: those paths answer 401. */
  readonly callers: readonly KnownCaller[];
  /** Webhooks, each with what both sides know; one without is left out. */
  readonly triggers: readonly { readonly trigger: Trigger; readonly secret: Secret }[];
  /** Absent: functions cannot be invoked. */
  readonly console?: FunctionConsole | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes of a body at most. Default: 1 MiB. */
  readonly maximumBody?: number | undefined;
  /** How long a webhook's delivery is known again. Default: three days. */
  readonly replayMilliseconds?: number | undefined;
  /** How long an invocation waits for its run. Default: 25 s. */
  readonly invokeMilliseconds?: number | undefined;
}

type Methods = Readonly<Record<string, FetchHandler>>;

/**
 * Everything that is taken over HTTP, as one handler: `POST /events`, `POST /triggers/<name>`, `GET /functions` and
 * `POST /functions/<name>/invoke`. It never rejects: what fails is an answer, and a line of the log.
 */
export function ingress(parts: IngressParts): FetchHandler {
  const { maximumBody = MAXIMUM_BODY, log, ...rest } = parts;
  const paths = new Map<string, Methods>([
    ["/events", { POST: eventsEndpoint({ ...rest, maximumBody }) }],
    ...parts.triggers.map((one): [string, Methods] => [
      `/triggers/${one.trigger.name}`,
      { POST: webhook({ ...rest, ...one, maximumBody }) },
    ]),
  ]);
  const { console } = parts;
  const functions = console && {
    ...rest,
    console,
    maximumBody,
    waitMilliseconds: parts.invokeMilliseconds,
  };
  if (functions !== undefined) paths.set("/functions", { GET: functionsEndpoint(functions) });
  const invoke = functions && { POST: invokeEndpoint(functions) };
  const methodsAt = (path: string): Methods | undefined =>
    paths.get(path) ?? (/^\/functions\/[^/]+\/invoke$/.test(path) ? invoke : undefined);

  return async (request) => {
    const { pathname } = new URL(request.url);
    try {
      const methods = methodsAt(pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname);
      if (methods === undefined)
        throw new HttpError("HTTP_NOT_FOUND", `Nothing is at ${pathname.slice(0, 256)}.`);
      const handler = methods[request.method];
      if (handler === undefined)
        throw new HttpError("HTTP_METHOD", `${pathname} takes ${Object.keys(methods).join(", ")}.`, {
          headers: { allow: Object.keys(methods).join(", ") },
        });
      return await handler(request);
    } catch (thrown) {
      return answerTo(thrown, { log, path: pathname, method: request.method });
    }
  };
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
  log.error({ ...at, err: thrown }, "a request failed");
  return answer(500, { code: "UNEXPECTED", message: "It failed here; the log of this server says why." });
}
