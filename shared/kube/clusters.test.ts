import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import {
  clusterOnBus,
  connectionIn,
  connectionObject,
  elsewhereOnBus,
  foundIn,
  homeOnBus,
  parseReference,
} from "./cluster-names.ts";
import { defineClusters } from "./clusters.ts";
import { ConfigMap } from "./kinds/config-map.ts";
import { parseApiVersion } from "./object.ts";
import { admittedKind, defineDynamic } from "./slot.ts";

const runtimes = defineClusters("runtime", {
  secret: { namespace: "kcp-system", label: "example.org/runtime", key: "config" },
});
const plants = defineClusters("plant", { secret: { suffix: "-kubeconfig", key: "value" } });

describe("other clusters", () => {
  it("have the kinds of the home under ids of their own", () => {
    class PlantMap extends plants.kind(ConfigMap) {}
    class Part extends defineDynamic("part") {}
    class PlantPart extends plants.kind(Part) {}
    assert.deepEqual(
      [PlantMap.id, PlantMap.kind, PlantMap.plural, PlantMap.place, PlantMap.clusters?.id],
      ["plant/ConfigMap", "ConfigMap", "configmaps", "plant", "plant"],
    );
    assert.deepEqual([ConfigMap.id, ConfigMap.place, ConfigMap.clusters], ["ConfigMap", "home", undefined]);
    const pods = { group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" } as const;
    const admitted = admittedKind(PlantPart, pods);
    assert.deepEqual([admitted.id, admitted.kind, admitted.clusters?.id], ["plant/part", "Pod", "plant"]);
  });

  it("have names by which each is found again, on the bus and as a connection", () => {
    const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,10}[a-z0-9])?$/);
    const home = fc.stringMatching(/^[a-z0-9:.-]{1,9}(@[a-z0-9:.-]{1,9})?$/);
    fc.assert(
      fc.property(label, label, home, (one, other, at) => {
        for (const [of, name] of [
          [runtimes, one],
          [plants, `${one}/${other}`],
        ] as const) {
          const reference = of.named(name);
          assert.deepEqual(parseReference(reference), { id: of.id, cluster: name });
          const onBus = clusterOnBus(`${at}-0123abcd`, reference);
          assert.deepEqual([homeOnBus(onBus), elsewhereOnBus(onBus)], [`${at}-0123abcd`, reference]);
          assert.equal(elsewhereOnBus(clusterOnBus(`${at}-0123abcd`, undefined)), undefined);
          for (const found of ["reachable", "unreachable", "no secret"] as const) {
            const { apiVersion, kind, name: called } = connectionObject(reference, found);
            const object = { ...parseApiVersion(apiVersion), kind, name: called };
            assert.equal(connectionIn(object), reference);
            assert.equal(foundIn(object), found);
          }
        }
      }),
    );
  });

  it("take no name that leads elsewhere", () => {
    for (const name of ["", "a/b", "a,b", "a=b", "a b", "-a", "é", `${"a".repeat(64)}`])
      assert.throws(() => runtimes.named(name), { code: "CLUSTER_NAME" }, name);
    for (const name of ["", "a", "a/b/c", "../b", "a/..", "A/b", "a/b:c", `a/${"b".repeat(253)}`])
      assert.throws(() => plants.named(name), { code: "CLUSTER_NAME" }, name);
    for (const id of ["home", "Runtime", "a/b", "", "a".repeat(33)])
      assert.throws(() => defineClusters(id, { secret: plants.secret }), { code: "CLUSTER_NAME" }, id);
  });
});
