import assert from "node:assert/strict";
import type { Envelope } from "../../../events/index.ts";
import { seededRandom, shuffled } from "../../../infra/testing/random.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import { CONTROL_PLANE, Kyma } from "../kinds/index.ts";
import type { Stage } from "./stage.ts";

const SEED = 32;
/** Deliveries of each event beside its own. */
const MORE = 4;
const MODULES = ["alpha-store", "mesh-core"].map((name) => ({ name }));
const AT = { name: "rt-1", namespace: CONTROL_PLANE };

interface Play {
  /** The modules after each step, as their Kyma tells of them and as they are installed. */
  readonly steps: readonly unknown[];
  /** The writes that took effect, but for statuses and notes. */
  readonly writes: readonly string[];
}

const writesOf = (runs: readonly RunRecord[]): readonly string[] =>
  runs
    .flatMap(({ writes }) => writes)
    .filter(({ verb, sent, error }) => sent && error === undefined && !["status", "note"].includes(verb))
    .map(({ verb, subject }) => `${verb} ${subject}`)
    .sort();

/** Has a Kyma get two modules, follow another channel, and lose one; after each step `behind` what it has to. */
async function play(s: Stage, behind: () => Promise<void>): Promise<Play> {
  const before = s.stack.runs().length;
  const steps: unknown[] = [];
  const step = async (spec: Readonly<Record<string, unknown>>): Promise<void> => {
    await s.wants(spec);
    await behind();
    await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
    const told = (await s.says()).modules?.map(({ name, state, version, channel }) => ({
      ...{ name, state, version, channel },
    }));
    steps.push({ told, installed: await s.installed() });
  };
  await step({ modules: MODULES });
  await step({ channel: "fast", modules: MODULES });
  await step({ channel: "fast", modules: [{ name: "mesh-core" }] });
  const writes = writesOf(s.stack.runs().slice(before));
  await s.remove(Kyma, AT);
  await s.settled();
  return { steps, writes };
}

/** Delivers whatever is published again and again, under its own id and as another event, behind what is newer. */
function repeating(s: Stage): { again(): Promise<void>; stop(): void } {
  const random = seededRandom(SEED);
  const known = new Set<string>();
  const earlier: Envelope[] = [];
  const sent: Promise<unknown>[] = [];
  let number = 0;
  const { bus } = s.stack.engine;
  const deliver = (event: Envelope): void => {
    const isSame = random() < 0.5;
    number += 1;
    const again = isSame ? event : { ...event, id: `${event.id}/late-${number}` };
    known.add(again.id);
    sent.push(bus.publish([again]));
  };
  const stop = bus.subscribe({
    published: (event) => {
      if (known.has(event.id)) return;
      known.add(event.id);
      // One that came before is heard of once more now, behind this one.
      const late = earlier[Math.floor(random() * earlier.length)];
      earlier.push(event);
      if (late !== undefined) deliver(late);
    },
  });
  return {
    again: async () => {
      const all = earlier.splice(0).flatMap((event) => Array.from({ length: MORE }, () => event));
      for (const event of shuffled(all, random)) deliver(event);
      await Promise.all(sent.splice(0));
      await s.settled();
    },
    stop,
  };
}

/** Events that come several times, in any order, and for many: 32. */
export const delivery: readonly Scenario<Stage>[] = [
  {
    number: 32,
    name: "events that come five times, and behind newer ones, lead to one set of writes and to the same end",
    async run(s) {
      for (const { name: module } of MODULES) {
        for (const version of ["1.0.0", "1.1.0"]) await s.publish({ module, version });
        await s.release(module, { regular: "1.0.0", fast: "1.1.0" });
      }
      // The namespace of the modules stays when a Kyma goes: the first of all is the one that makes it.
      await s.wants({ modules: [] });
      await s.remove(Kyma, AT);
      await s.settled();
      const inOrder = await play(s, async () => undefined);
      assert.ok(inOrder.writes.length > 0);
      const repeated = repeating(s);
      try {
        assert.deepEqual(await play(s, repeated.again), inOrder);
      } finally {
        repeated.stop();
      }
    },
  },
  {
    number: 32,
    name: "one change of the catalog wakes each Kyma that has the module once, and no other (DEP11)",
    async run(s) {
      for (const { name: module } of MODULES) {
        for (const version of ["1.0.0", "1.1.0"]) await s.publish({ module, version });
        await s.release(module, { regular: "1.0.0" });
      }
      const [alpha, mesh] = MODULES;
      for (const name of ["rt-1", "rt-2"]) await s.wants({ modules: [alpha] }, { name });
      await s.wants({ modules: [mesh] }, { name: "rt-3" });
      const before = s.stack.runs().length;
      await s.release("alpha-store", { regular: "1.1.0" });
      for (const name of ["rt-1", "rt-2"])
        assert.equal((await s.manifest("alpha-store", name))?.spec?.version, "1.1.0");
      const woken = s.stack
        .runs()
        .slice(before)
        .filter(
          ({ function: name, outcome, causes }) =>
            name === "kymas" &&
            outcome !== "swept" &&
            causes.some(({ subject }) => subject?.includes("ModuleReleaseMeta") === true),
        );
      assert.deepEqual(woken.map(({ key }) => key.split("/").at(-1)).toSorted(), ["rt-1", "rt-2"]);
    },
  },
];
