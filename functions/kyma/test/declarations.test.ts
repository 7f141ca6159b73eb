// R12 and DEP13: what the declarations of Kyma's functions say, whatever these decide.
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { nextLook } from "../../../shared/runner/next-look.ts";
import { idOf, rightsOf } from "../../../shared/runner/rights.ts";
import { configuration } from "../configuration.ts";
import { kyma } from "../index.ts";

const kinds = kyma.functions.flatMap((declaration) =>
  [...rightsOf(declaration).values()].map(({ kind }) => kind),
);

describe("what Kyma's functions touch", () => {
  it("is no object that stands for a cluster's infrastructure: a Kyma and its cluster share a Secret alone (R12)", () => {
    const atHome = kinds.filter(({ clusters, scope }) => clusters === undefined && scope !== "Any");
    assert.deepEqual([...new Set(atHome.map(idOf))].sort(), [
      "/Secret",
      "apiextensions.k8s.io/CustomResourceDefinition",
      "coordination.k8s.io/Lease",
      "networking.istio.io/Gateway",
      "networking.istio.io/VirtualService",
      "operator.kyma-project.io/Kyma",
      "operator.kyma-project.io/Manifest",
      "operator.kyma-project.io/ModuleReleaseMeta",
      "operator.kyma-project.io/ModuleTemplate",
      "operator.kyma-project.io/Watcher",
      "reveille.dev/KymaPolicy",
    ]);
    // Of others' kinds the configuration admits certificates, and Secrets by their names.
    const { certificateKinds, injectedSecrets } = configuration.parse({});
    assert.deepEqual(
      [certificateKinds, injectedSecrets],
      [["certificates.cert-manager.io", "certificates.cert.gardener.cloud"], []],
    );
    assert.equal(configuration.safeParse({ injectedSecrets: ["clusters/rt-1"] }).success, false);
  });
});

describe("the nets of Kyma's functions", () => {
  const nets = kyma.functions.flatMap(({ name, net }) => (net === undefined ? [] : [{ name, net }]));

  it("are two, which look at each Manifest and each program after 30 minutes, a fifth sooner or later (DEP13)", () => {
    assert.deepEqual(nets, [
      { name: "kyma-manifests", net: "30m" },
      { name: "kyma-watcher", net: "30m" },
    ]);
    const now = Date.parse("2026-03-01T12:00:00Z");
    const minutes = Array.from({ length: 100 }, (_, number) => {
      const key = { function: "kyma-manifests", key: `rt-${number}` };
      return (nextLook(nets[0]?.net ?? assert.fail("it is there"), key, now) - now) / 60_000;
    });
    assert.ok(Math.min(...minutes) >= 24 && Math.max(...minutes) <= 36, String(minutes));
    assert.ok(new Set(minutes).size > 90, "they are strewn");
  });
});
