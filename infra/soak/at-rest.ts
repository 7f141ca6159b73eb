import { setTimeout as pause } from "node:timers/promises";
import type { System } from "../../shared/function/system.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { startEmbeddedEngine } from "../engine/index.ts";
import { versionsOf } from "../testing/world.ts";
import { wrapClient } from "../testing/wrapped-client.ts";

const LOOK_MILLISECONDS = 1_000;

/**
 * Waits until no object of these kinds has changed for `quiet`; throws with what still changes after `limit`.
 */
export async function comesToRest(
  client: KubeClient,
  resources: readonly Resource[],
  { quiet, limit }: { readonly quiet: number; readonly limit: number },
): Promise<void> {
  const began = performance.now();
  let since = began;
  let before = await versionsOf(client, resources);
  while (performance.now() - since < quiet) {
    await pause(LOOK_MILLISECONDS);
    const now = await versionsOf(client, resources);
    const changed = differing(before, now);
    if (changed.length > 0) since = performance.now();
    before = now;
    if (performance.now() - began > limit)
      throw new Error(`after ${limit / 1000} s it still writes: ${changed.slice(0, 5).join(", ")}`);
  }
}

const differing = (
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] => [
  ...Object.keys(now).filter((name) => now[name] !== before[name]),
  ...Object.keys(before).filter((name) => !(name in now)),
];

/** Objects of these kinds whose status is about an older generation, or that have none. */
export async function unanswered(
  client: KubeClient,
  resources: readonly Resource[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const resource of resources)
    for await (const { items } of client.pages(resource))
      for (const { metadata, status } of items) {
        const observed = (status as { readonly observedGeneration?: number } | undefined)?.observedGeneration;
        if (observed !== metadata.generation)
          found.push(
            `${resource.kind} ${metadata.namespace ?? ""}/${metadata.name}: ${observed ?? "nothing"} of ${metadata.generation}`,
          );
      }
  return found;
}

/**
 * The writes that the functions would still make to the cluster as it is: every key is decided afresh by an engine that knows
 * nothing and may write nothing. Empty where the world is as the functions want it.
 */
export async function stillToWrite(
  client: KubeClient,
  cluster: string,
  systems: readonly System[],
): Promise<readonly string[]> {
  const refused = wrapClient(client, async (request, send) => {
    if (!request.write) return send();
    throw new KubeError("invalid", "Nothing is written while it is audited.", { request: request.verb });
  });
  const engine = await startEmbeddedEngine({ client: refused, cluster, systems, nets: false, lease: false });
  const found = new Set<string>();
  engine.bus.subscribe({
    ran: (run) => {
      const { error } = run;
      if (error !== undefined) found.add(`${run.function} ${run.key}: ${error.code} ${error.message}`);
      // Events are for people; the server forgets them after an hour.
      for (const { verb, subject, sent, error: refused } of run.writes)
        if (verb !== "note" && (sent || refused !== undefined))
          found.add(`${run.function}: ${verb} ${subject} ${refused ?? ""}`);
    },
  });
  try {
    await engine.watcher.settled();
    for (;;) {
      const counts = Object.values(await engine.bus.counts());
      if (counts.every(({ waiting, running, retrying }) => waiting + running + retrying === 0)) break;
      await pause(LOOK_MILLISECONDS);
    }
    return [...found];
  } finally {
    await engine.stop();
  }
}
