import { hostname } from "node:os";
import { resolve } from "node:path";
import type { WatchRole } from "../engine/roles.ts";
import type { Settings } from "../settings/index.ts";
import { isAsked } from "../systems/declared.ts";
import type { Watcher } from "../watcher/index.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { HostContext } from "./host.ts";
import type { WebhookKeeper } from "./webhooks/keeper.ts";

/** The watcher's file, name and Lease as the settings say. */
export function watchRole({ watcher, home }: Settings): WatchRole {
  const { ledger, lease, identity, streams } = watcher;
  return {
    ledger,
    streams,
    identity: identity ?? `${hostname()}:${resolve(ledger)}`,
    lease: {
      namespace: lease.namespace ?? home.namespace,
      name: lease.name,
      duration: lease.duration,
      deadline: (lease.duration * 2) / 3,
      renew: lease.duration / 3,
    },
  };
}

/** Keeps admissions and hooks registered while the watcher leads; undefined where there are none, or the settings name no Service. */
export async function webhookKeeper(
  { settings, systems, client, clock, log }: HostContext,
  leads: () => boolean,
): Promise<WebhookKeeper | undefined> {
  const { webhooks } = settings.watcher;
  if (webhooks === undefined || !systems.some(isAsked)) return undefined;
  const { WebhookKeeper } = await import("./webhooks/keeper.ts");
  return new WebhookKeeper({
    client,
    systems,
    secret: { namespace: settings.home.namespace, name: webhooks.secret },
    service: webhooks.service,
    lifetime: webhooks.lifetime,
    namespaces: settings.namespaces,
    leads,
    clock,
    log: log.child({ part: "webhooks" }),
  });
}

/**
 * Tells of the watcher in metrics and readiness, and once a minute to the queue that the settings name.
 * @returns the heartbeat to that queue
 */
export async function tellOfWatcher(context: HostContext, watcher: Watcher): Promise<Heartbeat | undefined> {
  context.metrics.ofWatcher(watcher);
  context.readiness.check("watcher", () => (watcher.ready() ? undefined : whyNot(watcher)));
  return heartbeatOf(context, watcher);
}

/** Undefined where the settings name no queue for it. */
async function heartbeatOf(
  { settings, clock, log }: HostContext,
  watcher: Watcher,
): Promise<Heartbeat | undefined> {
  const { kind, sqs } = settings.bus;
  if (kind !== "sqs" || sqs?.heartbeatQueue === undefined) return undefined;
  const { queueSender } = await import("../../shared/bus/sqs/index.ts");
  const alive = (): boolean => watcher.ready() && watcher.position().leader;
  const beat = queueSender(sqs, sqs.heartbeatQueue);
  return new Heartbeat({ alive, send: () => beat("beat"), clock, log });
}

function whyNot(watcher: Watcher): string {
  const { publishing, streams, dirty, leader, holder } = watcher.position();
  if (!publishing) return `the bus does not take what it publishes; ${dirty} changes wait`;
  const lacking = streams.flatMap(({ kind, namespace, state }) => {
    const where = namespace === undefined ? kind : `${kind} in ${namespace}`;
    if (state.name === "streaming" || state.name === "absent") return [];
    if (state.name === "backingOff") return [`${where}: ${state.error}`];
    if (state.name === "forbidden")
      return [
        `${where}: this account may not ${state.missing.verb} ${state.missing.resource} of "${state.missing.group}"`,
      ];
    return [`${where} is ${state.name}`];
  });
  if (lacking.length > 0) return lacking.join("; ");
  return leader || holder !== undefined
    ? `it does not follow everything yet; ${dirty} changes wait`
    : "it could not read or write its Lease yet";
}
