import assert from "node:assert/strict";
import { describe, it, type TestContext } from "vitest";
import {
  all,
  allInNamespace,
  changed,
  defineSystem,
  each,
  own,
  type System,
} from "../../../shared/function/index.ts";
import { type AnyObject, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Deployment } from "../../../shared/kube/kinds/index.ts";
import { type Stack, startStack } from "../stack.ts";
import { Toy, toySystem, Workshop } from "../toy-system.ts";
import { assertWoken, type UnwokenRead, watchReads } from "./unwoken-reads.ts";
import { isWoken, wakesOn } from "./wakes-on.ts";

const NORTH = { name: "north" };
const BEAR = { name: "bear", namespace: "default" };

/** The toys' function, where the workshop's state decides otherwise. */
const madeWhere = (decides: (workshop: Workshop) => boolean): System =>
  defineSystem({
    name: "toys",
    functions: [
      each(Toy).function({
        name: "toys",
        wakes: [changed(Workshop).toEvery({})],
        observe: async ({ self, read }) => ({
          workshop: await read.get(Workshop, { name: self.spec.workshop }),
        }),
        reconcile: ({ workshop }) => ({
          status: { made: workshop !== undefined && decides(workshop) },
        }),
      }),
    ],
  });

/** A toy of an open workshop, and what its function read in vain. */
async function played(
  t: TestContext,
  system: System,
): Promise<{ readonly stack: Stack; readonly reads: readonly UnwokenRead[] }> {
  const watched = watchReads(system);
  const stack = await startStack({ api: "local", systems: [watched.system] });
  t.onTestFinished(() => stack.stop());
  const apiVersion = "toys.example.org/v1";
  await stack.apply([
    { apiVersion, kind: "Workshop", metadata: NORTH, spec: { open: true } },
    { apiVersion, kind: "Toy", metadata: BEAR, spec: { workshop: "north" } },
  ]);
  await stack.settled();
  return { stack, reads: watched.take() };
}

const made = async ({ client }: Stack): Promise<unknown> =>
  ((await client.get(resourceOf(Toy), BEAR))?.status as { readonly made?: unknown } | undefined)?.made;

describe("what a function reads of another kind", () => {
  it("is a fact, or its change is missed: the kit says which function read what", async (t) => {
    const { stack, reads } = await played(
      t,
      madeWhere(({ status }) => (status?.toys ?? 0) > 0),
    );
    assert.deepEqual(reads, [{ function: "toys", kind: "Workshop", path: "status" }]);
    assert.throws(() => assertWoken(reads), /toys reads status of Workshop/);
    const options = { fieldManager: "test", force: true, subresource: "status" } as const;
    const counted = {
      apiVersion: "toys.example.org/v1",
      kind: "Workshop",
      metadata: NORTH,
      status: { toys: 1 },
    };
    await stack.client.apply(resourceOf(Workshop), NORTH, counted, options);
    await stack.settled();
    assert.equal(await made(stack), false, "nobody was woken");
    await stack.everyKeyOnce();
    assert.equal(await made(stack), true, "which the next look mends");
  });

  it("is told of a declared toy's function: it reads facts alone", async (t) => {
    const { stack, reads } = await played(t, toySystem);
    assert.deepEqual(reads, []);
    assert.equal(await made(stack), true);
  });

  it("may be meant, with what lies below it, and then is named with its reason", async (t) => {
    const { reads } = await played(
      t,
      madeWhere(({ metadata }) => metadata.labels.season === "winter" && metadata.generation > 0),
    );
    assert.deepEqual(
      reads.map(({ path }) => path),
      ["metadata.labels.season"],
    );
    const why = "toys look at the season once";
    assertWoken(reads, [{ function: "toys", kind: "Workshop", path: "metadata.labels", why }]);
    for (const other of [{ function: "others" }, { kind: "Toy" }, { path: "metadata.label" }])
      assert.throws(() =>
        assertWoken(reads, [{ function: "toys", kind: "Workshop", path: "metadata.labels", why, ...other }]),
      );
  });

  it("counts as a whole where it is handed on, and stays what it is for whoever writes it", async (t) => {
    const system = defineSystem({
      name: "toys",
      functions: [
        each(Toy).function({
          name: "toys",
          wakes: [changed(Workshop).toEvery({})],
          owns: [ConfigMap],
          observe: async ({ self, read }) => ({
            workshop: await read.get(Workshop, { name: self.spec.workshop }),
          }),
          reconcile: ({ self, workshop }) => ({
            effects: own(self, ConfigMap, {
              metadata: { name: "box", labels: workshop?.metadata.labels },
              data: {},
            }),
          }),
        }),
      ],
    });
    const { stack, reads } = await played(t, system);
    assert.deepEqual(reads, [{ function: "toys", kind: "Workshop", path: "metadata.labels.*" }]);
    assert.ok(await stack.client.get(resourceOf(ConfigMap), { ...BEAR, name: "box" }));
  });
});

describe("a path wakes", () => {
  const facts = Object.values(Deployment.facts);
  for (const [path, value, wakes, asChild] of [
    [["metadata", "uid"], "u", true, true],
    [["metadata", "labels", "a"], "b", false, true],
    [["spec", "replicas"], 1, false, true],
    [["status", "conditions", "[Available]", "status"], "True", true, true],
    [["status", "conditions", "[Available]", "type"], "Available", true, true],
    [["status", "conditions", "[Available]", "lastUpdateTime"], "then", false, false],
    [["status", "conditions", "length"], 2, true, true],
    [["status", "replicas"], 1, false, false],
    [["status", "conditions", "*"], undefined, false, false],
    // Nothing stands there, so no fact below it either.
    [["status"], undefined, true, true],
    [["status", "loadBalancer"], undefined, false, false],
  ] as const)
    it(`${path.join(".")}: ${wakes}, of a child ${asChild}`, () => {
      assert.equal(isWoken({ allButStatus: false, paths: facts }, path, value), wakes);
      assert.equal(isWoken({ allButStatus: true, paths: facts }, path, value), asChild);
    });
});

describe("what an object of the key's kind owned that is gone", () => {
  const owned = (namespace: string) =>
    ({
      metadata: {
        name: "box",
        namespace,
        uid: "box",
        ownerReferences: [
          { apiVersion: "v1", kind: Toy.kind, name: "bear", uid: "former", controller: true },
        ],
      },
    }) as unknown as AnyObject;
  const reconcile = () => ({});
  for (const [of, declaration, namespace, wakes] of [
    ["its group", allInNamespace(Toy).function({ name: "t", owns: [ConfigMap], reconcile }), "default", true],
    [
      "no group but its own",
      allInNamespace(Toy).function({ name: "t", owns: [ConfigMap], reconcile }),
      "other",
      false,
    ],
    ["the group of all", all(Toy).function({ name: "t", owns: [ConfigMap], reconcile }), "other", true],
    ["no other object", each(Toy).function({ name: "t", owns: [ConfigMap], reconcile }), "default", false],
  ] as const)
    it(`wakes ${of}`, () => {
      const subject = { uids: new Set(["now"]), group: "default" };
      const wake = wakesOn(declaration, ConfigMap, subject, owned(namespace));
      assert.equal(isWoken(wake, ["metadata", "labels", "a"], "b"), wakes);
    });
});
