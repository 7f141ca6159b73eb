import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { changed, defineSystem, each, inOrder, note, own, patch } from "../../index.ts";
import { mortalClient } from "../../infra/testing/mortal-client.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { worldOf } from "../../infra/testing/world.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Pump, pump, Tank, tank } from "./kinds.ts";

const RESOURCES = [Tank, Pump, ConfigMap].map(resourceOf);

/** Everything that a function can write, in one: a finalizer, a lock, children in order, an Event, a status. */
const everything = each(Tank).function({
  name: "everything",
  wakes: [changed(Pump).toEach((it, said) => it.spec.pump === said.name)],
  owns: [ConfigMap],
  writes: [Tank],
  observe: async ({ self, read }) => ({
    pump:
      self.spec.pump === undefined
        ? undefined
        : await read.get(Pump, { namespace: self.metadata.namespace, name: self.spec.pump }),
  }),
  reconcile: ({ self, pump: used }) => {
    if (self.spec.lock === undefined)
      return {
        effects: patch(Tank, self, { engine: { lock: `lock of ${self.metadata.name}` } }),
        again: true,
      };
    const map = (name: string, of: number) =>
      own(self, ConfigMap, { metadata: { name: `${self.metadata.name}-${name}` }, data: { of: `${of}` } });
    return {
      effects: [
        inOrder(map("first", self.spec.size), map("second", used?.spec.rate ?? 0)),
        note(self, "Normal", "Filled", `with ${self.spec.size}`),
      ],
      status: {
        observedGeneration: self.metadata.generation,
        level: self.spec.size * (used?.spec.rate ?? 0),
      },
    };
  },
  finalizer: { name: "engine.example.org/everything", finalize: () => ({ finalized: true }) },
});

/** What happens, step by step; the stack settles in between. */
async function scenario(
  nth: number,
): Promise<{ readonly world: unknown; readonly writes: number; readonly crashed: boolean }> {
  const api = await startTestApi({ api: "local" });
  const directory = mkdtempSync(join(tmpdir(), "crash-"));
  let mortal: ReturnType<typeof mortalClient> | undefined;
  const stack = await startStack({
    api,
    systems: [defineSystem({ name: "crash", functions: [everything] })],
    directory,
    engineClient: (client) => {
      mortal = mortalClient(client, nth, () => stack.engine.bus.abandon());
      return mortal.client;
    },
  });
  const first = mortal;
  if (first === undefined) throw new Error("the engine made no client");
  let restarted = false;
  const settle = async (): Promise<void> => {
    if (!restarted) {
      await Promise.race([stack.settled(), first.died]);
      if (!first.dead()) return;
      restarted = true;
      await stack.restartEngine({ abruptly: true });
    }
    await stack.settled();
  };
  const edit = (name: string, spec: object): Promise<unknown> =>
    api.client.patch(
      resourceOf(Tank),
      { namespace: "default", name },
      "merge",
      { spec },
      { fieldManager: "somebody" },
    );
  await stack.apply([pump("p", 5), tank("one", { size: 2, pump: "p" }), tank("two", { size: 3 })]);
  await settle();
  await edit("one", { size: 4 });
  await settle();
  await api.client.patch(
    resourceOf(Pump),
    { namespace: "default", name: "p" },
    "merge",
    { spec: { rate: 7 } },
    { fieldManager: "somebody" },
  );
  await api.client.delete(resourceOf(Tank), { namespace: "default", name: "two" }, { uid: undefined });
  await settle();
  await stack.everyKeyOnce();
  const world = await worldOf(api.client, RESOURCES);
  const writes = first.writes();
  await stack.stop();
  rmSync(directory, { recursive: true });
  return { world, writes, crashed: first.dead() };
}

/**
 * A function that writes everything there is to write, on a host that dies after one write of it.
 *
 * @param isChosen picks the writes after which it dies, by their number and how many there are
 */
export function deathsAfterWrites(isChosen: (nth: number, writes: number) => boolean): void {
  describe("a host that dies after any single write", () => {
    it("leaves a world in which the next one comes to the same end", async () => {
      const { world, writes, crashed } = await scenario(Number.POSITIVE_INFINITY);
      assert.equal(crashed, false);
      assert.ok(writes >= 15, `the scenario makes ${writes} writes`);
      for (let nth = 1; nth <= writes; nth++)
        if (isChosen(nth, writes))
          assert.deepEqual((await scenario(nth)).world, world, `died after write ${nth} of ${writes}`);
    });
  });
}
