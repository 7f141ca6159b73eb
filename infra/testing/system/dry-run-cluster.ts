import assert from "node:assert/strict";
import type { Work } from "../../../shared/bus/contract.ts";
import type { NewItem } from "../../../shared/bus/item.ts";
import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import { groupOfAll, keyOf, subjectOf } from "../../../shared/function/key.ts";
import { configuredFunctions, runsWith } from "../../../shared/host/configuration.ts";
import { dryRun, type ObjectDiff, whatChanged } from "../../../shared/host/console/index.ts";
import type { KubeClient, Place, Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Deployment } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { valueAt } from "../../../shared/kube/paths.ts";
import { silent } from "../../../shared/log/log.ts";
import { createRunner } from "../../../shared/runner/runner.ts";
import { eventually } from "../eventually.ts";
import { installKinds } from "../stack.ts";
import type { TestApi } from "../test-api.ts";
import { wrapClient } from "../wrapped-client.ts";
import type { Cluster } from "./cluster.ts";
import type { SystemInTests } from "./proof.ts";
import { userCluster } from "./user-cluster.ts";

/** Rounds of runs in place of an engine. Each run is first run dry: what that told must be what the run then writes. */
export interface DryRunRounds extends Pick<Cluster, "settled" | "again"> {
  /** Counts of the runs that were compared, and of those that wrote something. */
  readonly compared: { runs: number; writing: number };
}

/** The scenarios' cluster in such rounds. */
export type DryRunCluster = Cluster & DryRunRounds;

/** A system in tests, and the time that its runs are told. */
export interface TimedSystem extends SystemInTests {
  /** Default: the machine's. */
  readonly clock?: Clock;
}

const ROUNDS = 30;

export async function startDryRunCluster(api: TestApi, tested: SystemInTests): Promise<DryRunCluster> {
  const rounds = await startDryRunRounds(api, tested);
  return { ...userCluster(api.client, tested.system, rounds), compared: rounds.compared };
}

/** Installs the system's kinds. */
export async function startDryRunRounds(api: TestApi, tested: TimedSystem): Promise<DryRunRounds> {
  await installKinds(api.client, [tested.system]);
  const compared = { runs: 0, writing: 0 };
  const round = (): Promise<boolean> => runEveryKey(api, tested, compared);
  return {
    compared,
    settled: async () => {
      for (let rounds = 0; rounds < ROUNDS; rounds += 1) if (!(await round())) return;
      throw new Error(`not settled after ${ROUNDS} rounds`);
    },
    again: async () => {
      assert.equal(await round(), false, "a settled world is not written to");
    },
  };
}

/** Runs every key of every function once, dry and then for good. Whether anything was written. */
async function runEveryKey(
  api: TestApi,
  tested: TimedSystem,
  compared: DryRunRounds["compared"],
): Promise<boolean> {
  let wrote = false;
  for (const declaration of tested.system.functions)
    for (const key of await keysOf(declaration, api.client)) {
      await atRest(api);
      const diff = await compare(
        { function: declaration.name, key, lane: "urgent", cause: CAUSE },
        api,
        tested,
      );
      compared.runs += 1;
      if (diff.length === 0) continue;
      compared.writing += 1;
      wrote = true;
    }
  await atRest(api);
  return wrote;
}

/** The real server's controllers cannot be asked whether they are done: their Deployments tell. */
async function atRest(api: TestApi): Promise<void> {
  await api.idle();
  if (api.kind === "local") return;
  await eventually("every Deployment to be rolled out", async () => {
    const { items } = await api.client.list(resourceOf(Deployment));
    return items.every(({ metadata, spec, status }) => {
      const { replicas = 1 } = spec as { readonly replicas?: number };
      const now = (status ?? {}) as Readonly<Record<string, number | undefined>>;
      const counts = [now.replicas, now.updatedReplicas, now.availableReplicas];
      return (
        now.observedGeneration === metadata.generation && counts.every((count) => (count ?? 0) === replicas)
      );
    });
  });
}

const CLUSTER = "test";
const CAUSE = {
  sort: "command",
  eventId: "by-hand",
  type: "command.reconcile",
  revives: true,
  at: "2026-01-15T10:00:00.000Z",
} as const;

async function keysOf({ key }: FunctionDeclaration, client: KubeClient): Promise<readonly string[]> {
  const { items } = await client.list(resourceOf(key.kind));
  const keys = items.flatMap((raw) => {
    const facts = Object.entries(key.kind.facts).map(([name, path]) => [name, valueAt(raw, path)]);
    return keyOf(key, { cluster: CLUSTER, ...raw.metadata }, Object.fromEntries(facts)) ?? [];
  });
  return [...new Set(key.by === "all" ? [groupOfAll(key.kind, CLUSTER)] : keys)];
}

/** Both runs are of the same moment. */
async function compare(
  item: NewItem,
  api: TestApi,
  { system, configuration, ports = [], clock: time = systemClock }: TimedSystem,
): Promise<readonly ObjectDiff[]> {
  const at = time.now();
  const clock: Clock = { ...time, now: () => at };
  const functions = configuredFunctions([system], { [system.name]: configuration }, ports);
  const { signal } = new AbortController();
  const parts = { functions, cluster: CLUSTER, clock };
  const [dry] = await dryRun(item, { ...parts, client: api.client }, signal);
  const { client, seen } = observing(api.client);
  const work: Work = createRunner({
    ...parts,
    functions: [...functions.keys()],
    client,
    log: silent,
    ...runsWith(functions),
    wroteThis: async () => false,
    emit: async () => undefined,
    nets: false,
  });
  const more = { causes: [item.cause], causesIncomplete: false, enqueuedAt: at, attempt: 1 };
  let end = await work({ item: { ...item, ...more }, held: () => true, signal });
  while (end.state === "finished" && end.again)
    end = await work({ item: { ...item, ...more }, held: () => true, signal });
  const told = dry ?? assert.fail("the dry run was lost");
  assert.ok(end.state !== "lost");
  const { diff, noted } = whatChanged(seen());
  assert.deepEqual(told.diff, diff, `${item.function} ${item.key}`);
  assert.deepEqual(told.noted, noted);
  assert.deepEqual(
    { ...told.decided },
    {
      outcome: end.run.outcome,
      waitingFor: end.run.waitingFor,
      deadlines: end.run.deadlines,
      ...(end.run.error !== undefined && { error: end.run.error }),
    },
  );
  // Those beside each other end in any order, and an Event's name follows from versions.
  const sent = (writes: typeof told.wrote): unknown =>
    writes
      ?.map(({ verb, subject, paths, sent: was }) =>
        JSON.stringify({ verb, subject: verb === "note" ? "" : subject, paths, was }),
      )
      .sort();
  assert.deepEqual(sent(told.wrote), sent(end.run.writes));
  return told.diff ?? [];
}

interface Seen {
  readonly resource: Resource;
  readonly place: Place;
  readonly base: KubeObject | undefined;
  readonly now: KubeObject | undefined;
}

/** A client that keeps how each object was before its first write, and how the last write left it. */
function observing(client: KubeClient): { readonly client: KubeClient; seen(): readonly Seen[] } {
  const seen = new Map<string, Seen>();
  const write = async (
    resource: Resource,
    place: Place,
    send: () => Promise<KubeObject | undefined>,
  ): Promise<KubeObject | undefined> => {
    const subject = subjectOf(resource, place);
    const base = seen.has(subject) ? seen.get(subject)?.base : await client.get(resource, place);
    const now = await send();
    // The server answers with what it deletes for good.
    const isGone =
      now?.metadata.deletionTimestamp !== undefined && (now.metadata.finalizers ?? []).length === 0;
    seen.set(subject, { resource, place, base, now: isGone ? undefined : now });
    return now;
  };
  const made = async (object: Promise<KubeObject | undefined>): Promise<KubeObject> =>
    (await object) ?? assert.fail("the server answered nothing");
  return {
    client: {
      ...wrapClient(client, (_request, send) => send()),
      apply: (...args) => made(write(args[0], args[1], () => client.apply(...args))),
      create: (...args) => made(write(args[0], args[1].metadata, () => client.create(...args))),
      patch: (...args) => made(write(args[0], args[1], () => client.patch(...args))),
      replace: (...args) => made(write(args[0], args[1], () => client.replace(...args))),
      delete: (...args) => write(args[0], args[1], () => client.delete(...args)),
    },
    seen: () => [...seen.values()],
  };
}
