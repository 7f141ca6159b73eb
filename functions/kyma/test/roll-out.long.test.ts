import assert from "node:assert/strict";
import { it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { kyma } from "../index.ts";
import { Manifest } from "../kinds/index.ts";
import { type Stage, startStage } from "./stage.ts";

const NAMES = ["rt-1", "rt-2", "rt-3", "rt-4"];
const ALPHA = { name: "alpha-store" };
/** Kyma without what brings modules to their runtimes. */
const control = { ...kyma, functions: kyma.functions.filter(({ key }) => key.kind.id !== Manifest.id) };
const versions = async (s: Stage): Promise<readonly (string | undefined)[]> =>
  Promise.all(NAMES.map(async (name) => (await s.module(ALPHA.name, name))?.version));
const upgraded = async (s: Stage): Promise<number> =>
  (await versions(s)).filter((version) => version === "1.1.0").length;

it("a release reaches the Kymas that have the module one after the other, and those that wait for it at once", async (t) => {
  const s = await startStage({ api: "local", system: control, settings: { rollOutMinutes: 4 } });
  t.onTestFinished(() => s.stop());
  for (const version of ["1.0.0", "1.1.0"]) await s.publish({ module: ALPHA.name, version });
  for (const name of NAMES) await s.wants({ modules: [ALPHA] }, { name });
  await s.release(ALPHA.name, { regular: "1.0.0" });
  assert.deepEqual(
    await versions(s),
    NAMES.map(() => "1.0.0"),
    "no time passed: all of them waited",
  );

  // Nothing settles before the last one is due.
  const settled: Promise<void>[] = [s.release(ALPHA.name, { regular: "1.1.0" })];
  await eventually("the first to be upgraded", async () => (await upgraded(s)) === 1);
  settled.push(s.leap(1));
  await eventually("the second to be upgraded", async () => (await upgraded(s)) === 2);
  const last = NAMES[(await versions(s)).lastIndexOf("1.0.0")] ?? "";
  const modules = [ALPHA, { name: "unknown" }];
  settled.push(s.wants({ modules }, { name: last }));
  await eventually("one that its user changes to be upgraded", async () => (await upgraded(s)) === 3);
  settled.push(s.leap(4));
  await Promise.all(settled);
  assert.deepEqual(
    await versions(s),
    NAMES.map(() => "1.1.0"),
  );
});
