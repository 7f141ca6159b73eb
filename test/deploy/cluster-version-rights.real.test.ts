import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { adapters } from "../../functions/cluster-version/adapters.ts";
import { ClusterVersion } from "../../functions/cluster-version/kinds/index.ts";
import { clusterVersionSystem } from "../../functions/cluster-version/system.ts";
import { hastened } from "../../functions/cluster-version/test/sample-releases.ts";
import { samplesOf, withSampleConfiguration } from "../../infra/systems/samples.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { type LeapingClock, leapingClock } from "../../infra/testing/leaping-clock.ts";
import { type Stack, startStack } from "../../infra/testing/stack.ts";
import { simulateSystem } from "../../infra/testing/system-parts.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { withAdapters } from "../../shared/host/configuration.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { parseObject } from "../../shared/kube/read.ts";
import { payloads } from "../../shared/ports/payloads/index.ts";
import { applyAll, tokenOf } from "./accounts.ts";
import { type Use, usesIn } from "./audit.ts";
import { render } from "./chart.ts";
import { NAMESPACE } from "./rights-stage.ts";

const GRANTS = new Set(["ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"]);
const configuration = withSampleConfiguration(["cluster-version"], {});
const skip = skipWithoutHelm() || skipWithoutControlPlane({ controllerManager: true });

describe("the chart's roles for the version operator", { skip: skip !== false, timeout: 600_000 }, () => {
  const ends: (() => Promise<void> | void)[] = [];
  let stack: Stack;
  let clock: LeapingClock;
  let uses: () => readonly Use[];
  let idle: () => Promise<void>;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "reveille-version-rights-"));
    ends.push(() => rmSync(folder, { recursive: true }));
    const auditLog = join(folder, "audit.log");
    const admissionPlugins = ["OwnerReferencesPermissionEnforcement"];
    const api = await startTestApi({ api: "real", auditLog, admissionPlugins });
    const objects = render({ "serve.enabled": false, systems: ["cluster-version"] }).filter(({ kind }) =>
      GRANTS.has(kind),
    );
    await applyAll(api.client, [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
      ...objects,
    ]);
    const clients = new Map<string, KubeClient>();
    for (const { kind, metadata } of objects)
      if (kind === "ServiceAccount")
        clients.set(metadata.name, api.newClient(await tokenOf(api.client, NAMESPACE, metadata.name)));
    const known = (account: string): KubeClient =>
      clients.get(account) ?? assert.fail(`the chart makes no account ${account}`);
    clock = leapingClock();
    stack = await startStack({
      api,
      systems: [withAdapters(clusterVersionSystem, adapters)],
      configuration,
      engineClient: () => known("reveille-watcher"),
      engine: {
        clock,
        home: NAMESPACE,
        clientOf: ({ name }) => known(`reveille-${name}`),
        ports: [payloads.bind(hastened())],
      },
    });
    ends.push(() => stack.stop());
    const operators = await simulateSystem("cluster-version", { client: api.newClient() });
    ends.push(() => operators?.stop());
    idle = async () => operators?.idle();
    uses = () => usesIn(auditLog);
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  const newest = async () => {
    const raw = await stack.client.get(resourceOf(ClusterVersion), { name: "version" });
    return raw && parseObject(ClusterVersion, raw).status?.history?.[0];
  };
  const until = async (version: string): Promise<void> => {
    for (let looks = 0; looks < 40; looks += 1) {
      await idle();
      await stack.settled();
      const entry = await newest();
      if (entry?.version === version && entry.state === "Completed") return;
      clock.leap(16_000);
    }
    assert.fail(`${version} is never there: ${JSON.stringify(await newest())}`);
  };

  test("suffice to install a release and to move to the next", { timeout: 400_000 }, async () => {
    await stack.apply(samplesOf("cluster-version"));
    await until("1.0.0");
    await stack.client.patch(
      resourceOf(ClusterVersion),
      { name: "version" },
      "merge",
      { spec: { desiredUpdate: { version: "1.1.0", image: "demo.example/release:1.1.0" } } },
      { fieldManager: "admin" },
    );
    await until("1.1.0");
    const refused = uses().filter(({ allowed }) => !allowed);
    assert.deepEqual(
      [
        ...new Set(
          refused.map(({ account, verb, resource, group }) => `${account} ${verb} ${resource}.${group}`),
        ),
      ],
      [],
    );
  });
});
