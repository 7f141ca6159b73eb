import { setTimeout as pause } from "node:timers/promises";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { missingServers } from "../duel.ts";
import type { Figure, Measure } from "../measure.ts";
import { inParallel, median, quantile, short } from "../numbers.ts";
import { ADDONS, type Fleet, stackName, startFleet, tagOf } from "../stacks/fleet.ts";

const STACKS = 20;
const CLUSTERS = 50;
const SERVERS = 5;
const LARGE = 118;
const SMALL = 3;
const PARALLEL = 8;
const ROUNDS = 5;
/** The Clusters that change their class in one round, and how many of them do at once. */
const CHANGING = 50;
const AT_ONCE = 4;
const REST_MILLISECONDS = 10_000;
/** So many writes go to one workload cluster at once, of Reveille's as of the bare loop's. */
const WRITES_AT_ONCE = 2;
const BY = { fieldManager: "bare", force: true } as const;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const cluster = (number: number): string => `c${number}`;

/** All stacks are offered, and all Clusters have their addons. */
async function settle(fleet: Fleet): Promise<void> {
  await inParallel(PARALLEL, numbers(STACKS), async (number) => {
    await fleet.publish(stackName(number), ["v1", "v2"], SMALL);
    await fleet.offer(stackName(number), ["v1", "v2"]);
  });
  await inParallel(PARALLEL, numbers(CLUSTERS), async (number) => {
    const server = fleet.servers[number % SERVERS];
    if (server !== undefined) await fleet.connect(cluster(number), server);
    await fleet.take(cluster(number), tagOf(stackName(number % STACKS), "v1"));
  });
  await Promise.all(
    numbers(CLUSTERS).map((number) =>
      fleet.installed(cluster(number), tagOf(stackName(number % STACKS), "v1")),
    ),
  );
}

/** Has Clusters take up another class; the milliseconds until its addons were installed, of each. */
async function change(fleet: Fleet, version: string): Promise<readonly number[]> {
  const took: number[] = [];
  await inParallel(AT_ONCE, numbers(CHANGING), async (number) => {
    const tag = tagOf(stackName(number % STACKS), version);
    const began = performance.now();
    await fleet.take(cluster(number), tag);
    await fleet.installed(cluster(number), tag);
    took.push(performance.now() - began);
  });
  return took;
}

/** The cost, to the others, of one workload cluster that answers nothing. */
async function oneHangs(fleet: Fleet): Promise<Figure> {
  const server = fleet.servers[SERVERS];
  if (server === undefined) throw new Error("there is no server that could hang");
  const hung = stackName(0);
  await fleet.connect("hung", server);
  await fleet.take("hung", tagOf(hung, "v1"));
  await fleet.installed("hung", tagOf(hung, "v1"));
  const ratios: number[] = [];
  const with95: number[] = [];
  let versions = ["v2", "v1"];
  const round = async (): Promise<number> => {
    const [version = "v2", other = "v1"] = versions;
    versions = [other, version];
    return quantile(await change(fleet, version), 0.95);
  };
  for (let number = 0; number < ROUNDS; number++) {
    const usual = await round();
    await server.link("stall");
    const [version = "v2"] = versions;
    await fleet.take("hung", tagOf(hung, version));
    const beside = await round();
    await server.link("pass");
    await fleet.installed("hung", tagOf(hung, version));
    ratios.push(beside / usual);
    with95.push(beside);
  }
  const ratio = median(ratios);
  return {
    budget: `one of ${CLUSTERS} workload clusters hangs: p95 of the others' addons < 1.1 ×`,
    measured: `${short(median(with95))} ms`,
    limit: "beside none that hangs",
    ratio,
    ok: ratio < 1.1,
  };
}

/** The addons of one Cluster are many objects, against a bare loop that applies the same ones. */
async function manyObjects(fleet: Fleet): Promise<Figure> {
  const server = fleet.servers.at(-1);
  if (server === undefined) throw new Error("there is no server");
  await fleet.publish("large", ["v1", "v2"], LARGE);
  await fleet.offer("large", ["v1", "v2"]);
  await fleet.connect("large", server, { past: true });
  await fleet.take("large", tagOf("large", "v1"));
  await fleet.installed("large", tagOf("large", "v1"));
  const bare = async (version: string): Promise<number> => {
    const began = performance.now();
    await inParallel(WRITES_AT_ONCE, numbers(LARGE), async (index) => {
      const place = { namespace: ADDONS, name: `bare-${index}` };
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: place, data: { release: version } };
      await server.client.apply(resourceOf(ConfigMap), place, body, BY);
    });
    return performance.now() - began;
  };
  const own = async (version: string): Promise<number> => {
    const began = performance.now();
    await fleet.take("large", tagOf("large", version));
    await fleet.installed("large", tagOf("large", version));
    return performance.now() - began;
  };
  const turns: { readonly own: number; readonly bare: number }[] = [];
  for (let number = 0; number < ROUNDS; number++) {
    const version = number % 2 === 0 ? "v2" : "v1";
    turns.push({ bare: await bare(version), own: await own(version) });
  }
  const ratio = median(turns.map((turn) => turn.own / turn.bare));
  return {
    budget: `addons of ${LARGE} objects, from the change of the class to ready: ≤ 2 × bare applies`,
    measured: `${short(median(turns.map((turn) => turn.own)))} ms`,
    limit: `${short(median(turns.map((turn) => turn.bare)))} ms`,
    ratio,
    ok: ratio <= 2,
  };
}

/** Cluster stacks: many at rest, one that hangs beside the others, and addons of many objects. */
export const stacks: Measure = {
  name: "stacks",
  missing: missingServers,
  run: async (bench) => {
    // One that hangs; and a real one, since a played one takes its time on the same thread as who asks.
    const fleet = await startFleet(bench, [...numbers(SERVERS + 1).map(() => "local" as const), "real"]);
    const began = performance.now();
    await settle(fleet);
    const seconds = (performance.now() - began) / 1000;
    for (let before = -1; before !== fleet.requests(); await pause(1_000)) before = fleet.requests();
    const before = fleet.requests();
    await pause(REST_MILLISECONDS);
    const atRest = fleet.requests() - before;
    return [
      {
        budget: `${STACKS} stacks and ${CLUSTERS} addons at rest: no requests`,
        measured: `${atRest} in ${REST_MILLISECONDS / 1000} s (all were ready after ${short(seconds)} s)`,
        ok: atRest === 0,
      },
      await oneHangs(fleet),
      await manyObjects(fleet),
    ];
  },
};
