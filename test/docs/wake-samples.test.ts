import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { clusterStacks } from "../../functions/cluster-stacks/index.ts";
import { bringKinds } from "../../functions/cluster-stacks/simulate/crds.ts";
import { eventTypesOf } from "../../infra/engine/event-types.ts";
import { loadSystems } from "../../infra/systems/load.ts";
import { withSampleConfiguration } from "../../infra/systems/samples.ts";
import { type Stack, startStack } from "../../infra/testing/stack.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { System } from "../../shared/function/system.ts";
import { clustersAtHome, configuredFunctions } from "../../shared/host/configuration.ts";
import { type FunctionConsole, functionConsole } from "../../shared/host/console/index.ts";
import { OtherClusters } from "../../shared/kube/client/other-clusters.ts";
import { createRouter } from "../../shared/runner/router.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string): unknown =>
  JSON.parse(readFileSync(join(root, "functions", file), "utf8")) as unknown;

const { systems } = await loadSystems({ own: true, run: true });
const functions = systems.flatMap((system) => system.functions);
const configuration = withSampleConfiguration(
  systems.map(({ name }) => name),
  {},
);
/** `<system>/wakes/<function>/<on>-<kind or event>.json`, one for each line of the routing table. */
const wanted = systems.flatMap((system) =>
  createRouter(system.functions).rows.map(
    (row) =>
      `${system.name}/wakes/${row.function}/${row.on}-${(row.source.split("/").at(-1) ?? "").toLowerCase()}.json`,
  ),
);

it("there is a sample for every wake of every function, and no other", () => {
  assert.deepEqual(
    globSync("*/wakes/**/*.json", { cwd: join(root, "functions") }).sort(),
    [...new Set(wanted)].sort(),
  );
});

async function applySamples(stack: Stack, { name }: System): Promise<void> {
  const folder = join(root, "functions", name, "samples");
  // Those of Cluster API, which somebody else installs.
  if (name === clusterStacks.name) await bringKinds(stack.client);
  for (const file of readdirSync(folder)
    .filter((one) => one.endsWith(".yaml"))
    .sort())
    await stack.apply(readFileSync(join(folder, file), "utf8"));
}

describe("a sample of a wake, handed to its function", () => {
  let stack: Stack;
  let others: OtherClusters;
  let console: FunctionConsole;
  const { signal } = new AbortController();
  beforeAll(async () => {
    stack = await startStack({ api: "local", systems, configuration });
    for (const system of systems) await applySamples(stack, system);
    await stack.settled();
    others = new OtherClusters({ home: stack.client, atHome: clustersAtHome(systems, configuration) });
    console = functionConsole({
      others,
      functions: configuredFunctions(systems, configuration),
      client: stack.client,
      cluster: stack.cluster,
      clock: systemClock,
      types: () => eventTypesOf(functions),
      bus: stack.engine.bus,
    });
  });
  afterAll(async () => {
    others.close();
    await stack.stop();
  });

  for (const file of new Set(wanted)) {
    const [, , name = ""] = file.split("/");
    it(`${file} wakes it, and a settled world stays as it is`, async () => {
      const { runs, message } = await console.invoke(name, read(file), {
        dryRun: true,
        askedBy: "test",
        signal,
      });
      assert.equal(message, undefined);
      const decided = runs.filter(({ decided: it }) => it?.outcome === "done" || it?.outcome === "waiting");
      assert.ok(decided.length > 0, JSON.stringify(runs));
      for (const { decided: it, diff } of runs) {
        assert.equal(it?.error, undefined);
        assert.deepEqual(diff, []);
      }
    });
  }

  for (const { name } of functions)
    it(`${name} runs for good through the bus`, async () => {
      const file = wanted.find((one) => one.includes(`/wakes/${name}/own-`)) ?? assert.fail(name);
      const { runs } = await console.invoke(name, read(file), { dryRun: false, askedBy: "test", signal });
      assert.deepEqual(
        runs.map(({ state, wrote }) => [state, wrote?.filter(({ sent }) => sent)]),
        runs.map(() => ["ended", []]),
      );
      assert.ok(runs.length > 0);
    });
});
