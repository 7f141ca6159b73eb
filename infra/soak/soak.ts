import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { widgets } from "../../examples/widget/index.ts";
import { Widget } from "../../examples/widget/widget.ts";
import { ClusterPlatform, Platform, sonataflow, Workflow } from "../../functions/sonataflow/index.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Service } from "../../shared/kube/kinds/index.ts";
import { startSimulator } from "../simulator/index.ts";
import { connectionTo, startControlPlane } from "../testing/control-plane.ts";
import { Member } from "../testing/member.ts";
import { seededRandom } from "../testing/random.ts";
import { installKinds } from "../testing/stack.ts";
import { clusterName } from "../watcher/index.ts";
import { comesToRest, stillToWrite, unanswered } from "./at-rest.ts";
import { Auditor, type Finding } from "./auditor.ts";
import { type Blow, makeChaos } from "./chaos.ts";
import { collectForgotten } from "./garbage.ts";
import { Load, type Sent } from "./load.ts";
import type { SoakBus } from "./soak-bus.ts";

export interface SoakOptions {
  readonly bus: SoakBus;
  readonly seconds: number;
  readonly seed: number;
  /** The folder of settings, ledgers and logs; it exists. */
  readonly folder: string;
  readonly namespaces?: number;
  readonly changesPerSecond?: number;
  readonly outageSeconds?: number;
}

interface Audit {
  readonly missed: readonly string[];
  readonly stale: readonly string[];
}

/** The auditor's findings. All lists empty: nothing was missed, stale or doubled. */
export interface SoakReport extends Audit {
  readonly sent: Sent;
  readonly answers: number;
  readonly blows: readonly Blow[];
  /** Ends of members that nobody killed. */
  readonly failures: number;
  /** Children of deleted owners that garbage collection forgot, and that were deleted by hand. */
  readonly forgotten: number;
  /** Milliseconds from the last change until the audit was done. */
  readonly rested: number;
  readonly findings: readonly Finding[];
}

const WATCHERS = 2;
const WORKERS = 3;
const QUIET_MILLISECONDS = 10_000;
/** A frozen or killed owner's lease ends within this, and a retry comes. */
const REST_MILLISECONDS = 180_000;

const OWN = [Widget, Platform, ClusterPlatform, Workflow].map(resourceOf);
const ALL = [...OWN, ...[ConfigMap, Deployment, Service].map(resourceOf)];

/**
 * Watchers and workers as processes of their own on a real control plane, under a steady load of changes, while they are
 * killed and frozen, the bus is stopped and the API server restarted; then an audit that reads the API server alone.
 * Throws where the world does not come to rest.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const ending: (() => Promise<void> | void)[] = [];
  try {
    return await run(options, ending);
  } finally {
    for (const end of ending.toReversed()) await end();
  }
}

async function run(
  { bus, seconds, seed, folder, namespaces = 4, changesPerSecond = 20, outageSeconds = 60 }: SoakOptions,
  ending: (() => Promise<void> | void)[],
): Promise<SoakReport> {
  const random = seededRandom(seed);
  const plane = await startControlPlane({ controllerManager: true });
  ending.push(() => plane.stop());
  const newClient = () => {
    const client = createKubeClient({ connection: connectionTo(plane) });
    ending.push(() => client.close());
    return client;
  };
  const client = newClient();
  const systems = [sonataflow, widgets];
  await installKinds(client, systems);
  const simulator = await startSimulator({ client: newClient(), only: ["Pod"], delayMilliseconds: 200 });
  ending.push(() => simulator.stop());
  ending.push(() => bus.close());

  const members = membersOf(plane.kubeconfigFile, bus, folder);
  for (const member of members) member.start();
  ending.push(async () => void (await Promise.all(members.map((member) => member.stop()))));

  const load = new Load(client, random, namespaces);
  const over = new AbortController();
  const watching = OWN.map((resource) => ({
    resource,
    auditor: new Auditor(resource, resource.kind === "Widget" ? expectedOfWidget : undefined),
  }));
  const following = watching.map(({ auditor }) => auditor.follow(newClient(), over.signal));
  ending.push(async () => {
    over.abort();
    await Promise.all(following);
  });
  await load.prepare();

  const chaos = makeChaos({
    members,
    random,
    seconds,
    bus: bus.outage,
    outageSeconds: Math.min(outageSeconds, seconds / 2),
    server: { stop: () => plane.apiserver.kill(), start: () => plane.apiserver.restart() },
  });
  const [blows] = await Promise.all([chaos, applyLoad(load, seconds, changesPerSecond)]);
  const changed = performance.now();
  const forgotten = await collectForgotten(client, ALL);
  const cluster = await clusterName(client, "audit");
  let audit: Audit;
  // A key that failed while the server was away may be in a back-off of a minute: quiet alone is no rest.
  do {
    await comesToRest(client, ALL, { quiet: QUIET_MILLISECONDS, limit: REST_MILLISECONDS });
    audit = {
      missed: await unanswered(client, OWN),
      stale: await stillToWrite(client, cluster, systems),
    };
  } while (audit.missed.length + audit.stale.length > 0 && performance.now() - changed < REST_MILLISECONDS);
  return {
    ...audit,
    sent: load.sent,
    answers: watching.reduce((sum, { auditor }) => sum + auditor.answers, 0),
    blows,
    failures: members.reduce((sum, { failures }) => sum + failures, 0),
    forgotten,
    rested: performance.now() - changed,
    findings: watching.flatMap(({ auditor }) => auditor.findings),
  };
}

const expectedOfWidget = (spec: unknown): Readonly<Record<string, unknown>> => ({
  doubled: (spec as { readonly value: number }).value * 2,
});

async function applyLoad(load: Load, seconds: number, perSecond: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  const inFlight = new Set<Promise<void>>();
  while (performance.now() < until) {
    const change = load.change().finally(() => inFlight.delete(change));
    inFlight.add(change);
    await pause(1000 / perSecond);
  }
  await Promise.all(inFlight);
}

function membersOf(kubeconfig: string, bus: SoakBus, folder: string): readonly Member[] {
  const member = (role: "run" | "watcher" | "worker", index: number): Member => {
    const name = `${role}-${index}`;
    const file = join(folder, `${name}.json`);
    writeFileSync(
      file,
      JSON.stringify({
        cluster: { kubeconfig, name: "soak" },
        bus: bus.settings,
        systems: ["sonataflow"],
        functions: [join(import.meta.dirname, "../../examples/widget/index.ts")],
        watcher: { ledger: join(folder, `${name}.db`), identity: name },
        // What a net repairs must not count as found.
        runs: { nets: false },
      }),
    );
    return new Member(name, [role, "--config", file], join(folder, `${name}.log`));
  };
  if (bus.ofOne) return [member("run", 0)];
  return [
    ...Array.from({ length: WATCHERS }, (_, index) => member("watcher", index)),
    ...Array.from({ length: WORKERS }, (_, index) => member("worker", index)),
  ];
}
