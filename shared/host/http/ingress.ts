import type { EventDefinition } from "../../../events/index.ts";
import type { Bus } from "../../bus/contract.ts";
import type { Clock } from "../../clock/clock.ts";
import type { Trigger } from "../../function/trigger.ts";
import type { Log } from "../../log/log.ts";
import type { FunctionConsole } from "../console/index.ts";
import type { FetchHandler } from "./answer.ts";
import { MAXIMUM_BODY } from "./body.ts";
import type { KnownCaller } from "./caller.ts";
import { type BeatEar, certifiedPaths, type Proof, type ProvenTrigger } from "./certified.ts";
import { eventsEndpoint } from "./events-endpoint.ts";
import { DRY_RUN, functionsEndpoint, invokeEndpoint } from "./functions-endpoint.ts";
import type { Secret } from "./secret.ts";
import { serving, type Taken } from "./serving.ts";
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
  /** Triggers that certificates prove which a gateway forwards. Absent: none is taken here. */
  readonly certified?:
    | {
        readonly triggers: readonly ProvenTrigger[];
        readonly prove: Proof;
        /** Hears beats. Needed where senders of a trigger beat. */
        readonly ear?: BeatEar | undefined;
      }
    | undefined;
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
  const { certified } = parts;
  const ofCertified = certified && certifiedPaths(certified.triggers, { ...rest, ...certified });
  const takenAt = (path: string): Taken | undefined =>
    paths.get(path) ??
    (/^\/functions\/[^/]+\/invoke$/.test(path) ? invoke : undefined) ??
    ofCertified?.(path);

  return serving(takenAt, log);
}
