import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { openEmbeddedClient } from "../../shared/bus/embedded/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { Stage } from "./stage.ts";

/** Several deaths one after the other, each with its lease and its back-off, on a machine that does much else. */
const PATIENCE = 180_000;

describe("hosts as processes", () => {
  it("give up what kills them alone, and end what ran beside it", { timeout: 400_000 }, async (t) => {
    const stage = await Stage.open(t);
    const attempts = { REVEILLE_RUNS_MAXIMUM_ATTEMPTS: "3" };
    const until = join(dirname(stage.busFile), "may-end");
    const innocents = ["one", "two", "three"];
    for (const name of innocents) await stage.make(name, { how: "slowly", until });
    await stage.make("deadly", { how: "deadly" });
    const bus = openEmbeddedClient({ file: stage.busFile, route: () => [], clock: systemClock });
    t.onTestFinished(() => bus.close());
    for (let died = 0; (await bus.deadLetters.list()).length === 0; died++) {
      assert.ok(died < 8, `${died} hosts were killed`);
      // From then on the others could end, were they not killed with it.
      if (died === 2) writeFileSync(until, "");
      const worker = await stage.host(["run"], attempts);
      const buried = eventually(
        "it is given up",
        async () => (await bus.deadLetters.list()).length > 0,
        PATIENCE,
      ).then(() => ({ code: 0 }));
      const { code } = await Promise.race([worker.ended, buried]);
      if (code === 0) break;
      // The wait for a burial ends with its host: the next host's says what this one would have said.
      buried.catch(() => undefined);
    }
    for (const name of innocents)
      await eventually(`${name} is done`, async () => (await stage.says(name)) === "went slowly", PATIENCE);
    assert.deepEqual(
      (await bus.deadLetters.list()).map(({ key, attempts: counted }) => [key.split("/").at(-1), counted]),
      [["deadly", 3]],
    );
  });
});
