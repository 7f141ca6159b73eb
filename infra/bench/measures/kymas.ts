import { setTimeout as pause } from "node:timers/promises";
import { LABELS, Manifest } from "../../../functions/kyma/kinds/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { skipWithoutNats } from "../../testing/nats-server.ts";
import { missingServers } from "../duel.ts";
import { channelOf, type Module, STEPPED, steppedVersion } from "../kymas/catalog.ts";
import { type Fleet, startFleet } from "../kymas/fleet.ts";
import { versionOf } from "../kymas/words.ts";
import type { Figure, Measure } from "../measure.ts";
import { quantile, short } from "../numbers.ts";

const REST_SECONDS = 30;
/** The Kymas that change in one round, and how many do in a second: of 5,000 each once in 80 minutes. */
const CHANGING = 100;
const PER_SECOND = 1;
/**
 * The Kymas that change at once when a worker is killed: several for each worker, and no more than two cores work off while its leases
 * end, since each takes a second of CPU in all processes together.
 */
const BURST = 12;
const LIMIT_MILLISECONDS = 300_000;
const FLEET = 5_000;

/** The milliseconds until a version was applied in each of these runtimes, since each of them told of a change. */
async function latencies(
  fleet: Fleet,
  step: number,
  told: ReadonlyMap<string, number>,
): Promise<readonly number[]> {
  const version = versionOf(STEPPED, steppedVersion(step));
  const deadline = Date.now() + LIMIT_MILLISECONDS;
  for (;;) {
    const applied = await fleet.applied(version);
    const missing = [...told.keys()].filter((name) => applied[name] === undefined);
    if (missing.length === 0) return [...told].map(([name, at]) => (applied[name] ?? Number.NaN) - at);
    if (Date.now() > deadline)
      throw new Error(`${missing.length} runtimes did not get ${version}: ${missing.slice(0, 5).join(", ")}`);
    await pause(100);
  }
}

/** Does this for one name after the other, at an even pace, whether or not it is done for those before. */
async function paced(
  names: readonly string[],
  perSecond: number,
  act: (name: string) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const acting: Promise<void>[] = [];
  for (const [index, name] of names.entries()) {
    await pause(Math.max(0, began + (index * 1000) / perSecond - performance.now()));
    acting.push(act(name));
  }
  await Promise.all(acting);
}

/** Has users choose another version, at an even pace. */
async function change(fleet: Fleet, step: number, names: readonly string[]): Promise<readonly number[]> {
  const told = new Map<string, number>();
  await paced(names, PER_SECOND, async (name) => {
    told.set(name, await fleet.choose(name, channelOf(step)));
  });
  return latencies(fleet, step, told);
}

/** So many names, spread over all of them. */
const some = (names: readonly string[], count: number): readonly string[] =>
  names.filter((_, index) => index % Math.max(1, Math.floor(names.length / count)) === 0).slice(0, count);

const milliseconds = (seconds: number): string => `${short(seconds * 1000)} ms`;

const resident = ({ watcher, workers }: ReturnType<Fleet["memory"]>): string =>
  `${short(watcher)} + ${short(workers)} MiB`;

async function begins(fleet: Fleet, size: number): Promise<Figure> {
  const began = performance.now();
  const cpu = fleet.cpu();
  await fleet.add();
  await fleet.ready();
  return {
    budget: `${size.toLocaleString("en")} Kymas of five modules: until all are ready`,
    measured: `${short((performance.now() - began) / 1000)} s, ${milliseconds((fleet.cpu() - cpu) / size)} of CPU each`,
    ok: true,
  };
}

/** Kymas that are ready and that nobody here has seen before. */
async function takesOver(fleet: Fleet, size: number): Promise<Figure> {
  const began = performance.now();
  const before = await fleet.counts();
  await fleet.copy();
  const { writes, reads } = await fleet.counts();
  // The processes begin anew with the copies.
  return {
    budget: `${size.toLocaleString("en")} more that are ready, all at once: until all are looked at`,
    measured: [
      `${short((performance.now() - began) / 1000)} s, ${milliseconds(fleet.cpu() / size)} of CPU`,
      `${short((writes - before.writes) / size)} writes and ${short((reads - before.reads) / size)} reads in its runtime each`,
    ].join(", "),
    ok: true,
  };
}

async function atRest(fleet: Fleet): Promise<Figure> {
  await fleet.quiet();
  const before = await fleet.counts();
  await pause(REST_SECONDS * 1000);
  const after = await fleet.counts();
  const writes = after.writes - before.writes;
  const reads = (after.reads - before.reads) / REST_SECONDS;
  return {
    budget: `${fleet.names.length.toLocaleString("en")} Kymas at rest: no writes in runtimes, < 1 read a second`,
    measured: `${writes} writes, ${short(reads)} reads/s, ${after.probes - before.probes} probes, ${after.watching} watches in ${REST_SECONDS} s`,
    ok: writes === 0 && reads < 1,
  };
}

async function rollOut(fleet: Fleet): Promise<Figure> {
  const { names } = fleet;
  const cpu = fleet.cpu();
  const began = Date.now();
  await fleet.home.release("bravo", "1.1.0");
  const version = versionOf("bravo", "1.1.0");
  while (Object.keys(await fleet.applied(version)).length < names.length) await pause(200);
  const seconds = (Date.now() - began) / 1000;
  await fleet.quiet();
  // The first look at something new takes its time, however few they are.
  const most = Math.max(15, (300 * names.length) / FLEET);
  return {
    budget: `a release reaches ${names.length.toLocaleString("en")} Kymas in ≤ ${short(most)} s (5,000 in 5 minutes)`,
    measured: `${short(seconds)} s, ${milliseconds((fleet.cpu() - cpu) / names.length)} of CPU each`,
    ok: seconds <= most,
  };
}

async function dies(fleet: Fleet, step: number): Promise<Figure> {
  const told = new Map<string, number>();
  await Promise.all(
    some(fleet.names, BURST).map(async (name) => told.set(name, await fleet.choose(name, channelOf(step)))),
  );
  const version = versionOf(STEPPED, steppedVersion(step));
  while (Object.keys(await fleet.applied(version)).length === 0) await pause(10);
  const killed = Date.now();
  const before = Object.keys(await fleet.applied(version)).length;
  await fleet.kill();
  const all = await latencies(fleet, step, told);
  const last = Math.max(...[...told.values()].map((at, index) => at + (all[index] ?? Number.NaN)));
  return {
    budget: "a worker is killed: what it held runs elsewhere within 15 s",
    measured: `${short((last - killed) / 1000)} s until the last of ${told.size - before}`,
    ok: last - killed <= 15_000,
  };
}

/** The number of changes of a module's Manifests, by their Kymas; several of one Kyma are told apart. */
async function changesOf(fleet: Fleet, module: Module): Promise<ReadonlyMap<string, number>> {
  const changes = new Map<string, number>();
  for await (const { items } of fleet.home.client.pages(resourceOf(Manifest)))
    for (const { metadata } of items) {
      const { [LABELS.kymaName]: kyma = "", [LABELS.moduleName]: of } = metadata.labels ?? {};
      if (of !== module) continue;
      const name = changes.has(kyma) ? `${kyma} again` : kyma;
      changes.set(name, metadata.generation ?? 0);
    }
  return changes;
}

/** Scenario 40: a worker is killed when a quarter has a release. */
async function diesInRollOut(fleet: Fleet): Promise<Figure> {
  const { names } = fleet;
  const before = await changesOf(fleet, "charlie");
  const began = Date.now();
  await fleet.home.release("charlie", "1.1.0");
  const version = versionOf("charlie", "1.1.0");
  const reached = async (): Promise<number> => Object.keys(await fleet.applied(version)).length;
  while ((await reached()) < names.length / 4) await pause(200);
  await fleet.kill();
  while ((await reached()) < names.length) await pause(200);
  const seconds = (Date.now() - began) / 1000;
  await fleet.quiet();
  const after = await changesOf(fleet, "charlie");
  const once = names.filter((name) => after.get(name) === (before.get(name) ?? 0) + 1).length;
  return {
    budget:
      "a worker is killed in the midst of a release: each Kyma is upgraded once, and has one Manifest of each module",
    measured: `${once.toLocaleString("en")} of ${names.length.toLocaleString("en")} upgraded once, ${after.size - names.length} Manifests too many, after ${short(seconds)} s`,
    ok: once === names.length && after.size === names.length,
  };
}

function changes(usual: readonly number[]): Figure {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => quantile(usual, part)) as [number, number, number];
  return {
    budget: "a runtime tells of a change: first apply p95 ≤ 1 s, p99 ≤ 3 s",
    measured: `${short(p95)} ms, ${short(p99)} ms (p50 ${short(p50)} ms)`,
    ok: p95 <= 1_000 && p99 <= 3_000,
  };
}

/** @param usual the latencies of a round in which nothing hung, and nobody else told of anything */
async function hangs(
  fleet: Fleet,
  changing: readonly string[],
  usual: readonly number[],
): Promise<readonly Figure[]> {
  const hanging = fleet.names.filter((_, index) => index % 10 === 5);
  const others = changing.filter((name) => !hanging.includes(name));
  // The same runtimes tell of something in both rounds, so that these differ by nothing but the silence.
  const allTell = (): Promise<unknown> => Promise.all(hanging.map((name) => fleet.tells(name)));
  const [without] = await Promise.all([change(fleet, 4, others), allTell()]);
  await fleet.hang(hanging);
  const [lost] = await Promise.all([change(fleet, 5, others), allTell()]);
  await fleet.idle();
  // Those that hang tell of changes as often as the others do.
  const telling = changing.filter((name) => hanging.includes(name));
  const pace = (PER_SECOND * telling.length) / others.length;
  const [beside] = await Promise.all([
    change(fleet, 6, others),
    paced(telling, pace, (name) => fleet.tells(name)),
  ]);
  await fleet.hang([]);
  return [
    slowedDown("10 % of the runtimes hang", beside, usual),
    slowedDown("as they begin to, and all of them tell of changes at once", lost, without),
  ];
}

function slowedDown(when: string, beside: readonly number[], without: readonly number[]): Figure {
  const [measured, limit] = [quantile(beside, 0.95), quantile(without, 0.95)];
  const ratio = measured / limit;
  return {
    budget: `${when}: p95 of the others < 1.2 ×`,
    measured: `${short(measured)} ms`,
    limit: `${short(limit)} ms`,
    ratio,
    ok: ratio < 1.2,
  };
}

function takes(size: number, at: Readonly<Record<string, ReturnType<Fleet["memory"]>>>): Figure {
  const most = Math.max(1, size / 2_500) * 1024;
  return {
    budget: `resident, watcher and three workers: ≤ ${short(most)} MiB (1 GiB for 2,500)`,
    measured: Object.entries(at)
      .map(([when, memory]) => `${when} ${resident(memory)}`)
      .join(", "),
    ok: Object.values(at).every(({ watcher, workers }) => watcher + workers <= most),
  };
}

/** A fleet of Kymas over NATS, with several workers and played runtimes. */
export const kymas: Measure = {
  name: "kymas",
  missing: () => missingServers() ?? (skipWithoutNats() || undefined),
  run: async (bench) => {
    const size = bench.kymas;
    const fleet = await startFleet(bench);
    const figures: Figure[] = [];
    // A large fleet takes an hour or more: what is known by then is not lost where something breaks.
    const note = (figure: Figure): void => {
      figures.push(figure);
      const limit = figure.limit === undefined ? "" : `, where ${figure.limit} is the limit`;
      process.stderr.write(`${figure.budget}: ${figure.measured}${limit}\n`);
    };
    note(await begins(fleet, size - bench.copied));
    if (bench.copied > 0) note(await takesOver(fleet, bench.copied));
    note(await atRest(fleet));
    const memory = fleet.memory();
    const changing = some(fleet.names, CHANGING);
    // The first ones find nothing warm.
    await change(fleet, 1, changing.slice(0, 10));
    const usual = await change(fleet, 2, changing);
    note(changes(usual));
    note(await dies(fleet, 3));
    for (const figure of await hangs(fleet, changing, usual)) note(figure);
    // A release takes a large fleet a quarter of an hour: it goes last.
    note(await rollOut(fleet));
    note(await diesInRollOut(fleet));
    const after = fleet.memory();
    await fleet.restart();
    note(
      takes(size, {
        "once all were ready": memory,
        "at the end": after,
        "at rest after a restart": fleet.memory(),
      }),
    );
    return figures;
  },
};
