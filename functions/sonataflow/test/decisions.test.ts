import { describe, test } from "vitest";
import type { Kind } from "../../../shared/function/index.ts";
import { Namespace } from "../../../shared/kube/kinds/index.ts";
import type { Cluster } from "./cluster.ts";
import { scenarios } from "./scenarios.ts";
import { type AnyKind, World } from "./world.ts";

/** The scenarios' cluster, made of decisions alone. */
function decisions(): Cluster {
  const world = new World();
  const of = (kind: Kind): AnyKind => kind as unknown as AnyKind;
  const settle = async (): Promise<void> => {
    await world.settle();
    world.available();
    await world.settle();
  };
  return {
    validates: false,
    put: async (kind, metadata, fields = {}) => {
      const { namespace } = metadata;
      if (namespace !== undefined && world.get(Namespace, { name: namespace }) === undefined)
        world.put(Namespace, { name: namespace }, { status: { phase: "Active" } });
      world.put(of(kind), { annotations: {}, ...metadata }, fields);
    },
    remove: async (kind, at) => world.delete(of(kind), at),
    get: async (kind, at) => world.get(of(kind), at),
    list: async (kind, namespace) => world.list(of(kind), namespace === undefined ? {} : { namespace }),
    settled: settle,
    again: () => world.settle(),
    warnings: async (reason) => world.notes.filter((one) => one.type === "Warning" && one.reason === reason),
    // Every object of this world is younger than those before it.
    pause: async () => undefined,
  };
}

describe("SonataFlow's decisions", () => {
  for (const { number, name, run } of scenarios) test(`scenario ${number}: ${name}`, () => run(decisions()));
});
