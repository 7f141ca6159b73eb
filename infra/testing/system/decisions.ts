import { describe, test } from "vitest";
import { Namespace } from "../../../shared/kube/kinds/index.ts";
import type { Cluster } from "./cluster.ts";
import { runsOf } from "./decided-runs.ts";
import { MemoryCluster } from "./memory-cluster.ts";
import type { SystemInTests } from "./proof.ts";
import { type Scenario, titleOf } from "./scenario.ts";

const NOW = "2026-01-01T00:00:00.000Z";
const MOST_ROUNDS = 50;

/** The scenarios' cluster, made of decisions alone: no wakes, every key is run until nothing changes any more. */
function decidedCluster(tested: SystemInTests): Cluster {
  const memory = new MemoryCluster(NOW);
  const again = async (): Promise<void> => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const before = memory.version;
      for (const run of runsOf(tested, memory, NOW)) await run();
      if (memory.version === before) return;
    }
    throw new Error(`not settled after ${MOST_ROUNDS} rounds`);
  };
  return {
    validates: false,
    put: async (kind, metadata, fields = {}) => {
      const { namespace } = metadata;
      if (namespace !== undefined && memory.get(Namespace, { name: namespace }) === undefined)
        memory.put(Namespace, { name: namespace }, { status: { phase: "Active" } });
      memory.put(kind, { annotations: {}, ...metadata }, fields);
    },
    remove: async (kind, at) => memory.delete(kind, at),
    get: async (kind, at) => memory.get(kind, at),
    list: async (kind, namespace) => memory.list(kind, namespace === undefined ? {} : { namespace }),
    settled: async () => {
      await again();
      memory.available();
      await again();
    },
    again,
    warnings: async (reason) => memory.notes.filter((one) => one.type === "Warning" && one.reason === reason),
    // Every object of this world is younger than those before it.
    pause: async () => undefined,
  };
}

/** All scenarios on the functions' decisions alone, in memory: neither engine nor server has a part in them. */
export function decisions(proof: SystemInTests & { readonly scenarios: readonly Scenario<Cluster>[] }): void {
  describe(`${proof.name}'s decisions`, () => {
    for (const scenario of proof.scenarios)
      test(titleOf(scenario), () => scenario.run(decidedCluster(proof)));
  });
}
