import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, test } from "vitest";
import { parse } from "yaml";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { readSettings } from "../../infra/settings/index.ts";
import { requireControlPlane } from "../../infra/testing/control-plane.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { applyAll } from "./accounts.ts";
import { chartFolder, helm, render } from "./chart.ts";
import { grantsIn } from "./rights-stage.ts";

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly resources: { readonly requests?: object; readonly limits?: object };
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
  readonly livenessProbe?: object;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly volumeMounts: readonly { readonly name: string; readonly readOnly?: boolean }[];
}
interface PodSpec {
  readonly priorityClassName?: string;
  readonly shareProcessNamespace?: boolean;
  readonly serviceAccountName: string;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly secret?: object }[];
  readonly terminationGracePeriodSeconds: number;
}

/** What infra/cli/host.ts takes beyond the drain limit. */
const ENDING_MILLISECONDS = 4_000;
/** Everything that can be chosen, chosen. */
const EVERYTHING = {
  namespaces: ["team-a", "team-b"],
  configuration: { sonataflow: { defaultPlatform: "house" } },
  settings: { runs: { maximumAttempts: 5 } },
  "bus.auth": { method: "password", secretName: "bus-passwords" },
  "bus.tls": { secretName: "bus-tls", clientCertificate: true },
  "watcher.persistence": { enabled: true, size: "2Gi", storageClass: "fast" },
  "workers.groups": { flows: ["sonataflow-p*", "sonataflow-workflows"] },
  "workers.keda.enabled": true,
  "serve.enabled": true,
  "serve.secretName": "serve-tokens",
  "nats.replicas": 3,
  "networkPolicy.apiServer.cidrs": ["10.0.0.1/32"],
  "networkPolicy.metricsFrom": [{ namespaceSelector: { matchLabels: { name: "monitoring" } } }],
  "rbac.runtimeKinds": {
    "sonataflow-workflows": [{ apiGroups: ["example.org"], resources: ["things"], verbs: ["get"] }],
  },
};
const VARIANTS: Readonly<Record<string, object>> = {
  "no values": {},
  everything: EVERYTHING,
  "somebody's NATS": { "bus.servers": ["tls://nats.example.org:4222"], "nats.enabled": false },
  "one worker": { "workers.groups": { all: ["*"] }, "commands.enabled": false, "crds.install": false },
};

const podsOf = (
  objects: readonly KubeObject[],
): readonly { readonly name: string; readonly pod: PodSpec }[] =>
  objects.flatMap(({ kind, metadata, spec }) =>
    kind === "Deployment" || kind === "StatefulSet"
      ? [
          {
            name: metadata.name,
            pod: (spec as { readonly template: { readonly spec: PodSpec } }).template.spec,
          },
        ]
      : [],
  );
const named = (objects: readonly KubeObject[], kind: string, name: string): KubeObject =>
  objects.find((one) => one.kind === kind && one.metadata.name === name) ?? assert.fail(`no ${kind} ${name}`);
/** Milliseconds before SIGTERM. */
function waitOf(lifecycle: Container["lifecycle"]): number {
  if (lifecycle === undefined) return 0;
  const [program, flag, script = ""] = lifecycle.preStop.exec.command;
  assert.deepEqual([program, flag], ["node", "-e"]);
  const waits: number[] = [];
  runInNewContext(script, { setTimeout: (_: unknown, milliseconds: number) => waits.push(milliseconds) });
  return Math.max(...waits);
}
const refusal = (values: object): string => {
  try {
    render(values);
  } catch (error) {
    return String((error as { readonly stderr?: string }).stderr);
  }
  return assert.fail("it was rendered");
};

/** What functions declare for themselves: commands in containers (`executes`), and the kinds that templates bring by default. */
const DECLARED: readonly string[] = [
  "reveille:reveille-kudo-instances: pods/exec",
  "reveille:reveille-kudo-instances-templated: secrets",
];

describe("the chart", { skip: skipWithoutHelm() !== false }, () => {
  test("is without faults for helm lint", () => {
    assert.match(helm("lint", "--strict", chartFolder), /0 chart\(s\) failed/);
  });

  for (const [variant, values] of Object.entries(VARIANTS)) {
    test(`runs nothing with more than it needs: ${variant}`, () => {
      for (const { name, pod } of podsOf(render(values))) {
        const { runAsNonRoot, seccompProfile } = pod.securityContext;
        assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: "RuntimeDefault" }], name);
        for (const container of pod.containers) {
          assert.deepEqual(
            container.securityContext,
            {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
            name,
          );
          assert.ok(container.resources.requests && container.resources.limits, name);
          assert.ok(container.readinessProbe && container.livenessProbe, name);
        }
      }
    });

    test(`grants no wildcard, no secret and nobody's administration: ${variant}`, () => {
      const objects = render(values);
      for (const granted of grantsIn(objects)) {
        const { group, resource, verb, accounts, role } = granted;
        const said = `${role.metadata.name}: ${verb} ${resource}.${group}`;
        assert.ok(![group, resource, verb].some((word) => word.includes("*")), said);
        if (DECLARED.includes(`${role.metadata.name}: ${resource}`)) continue;
        assert.ok(
          !["secrets", "pods/exec", "roles", "clusterroles", "serviceaccounts/token"].includes(resource),
          said,
        );
        assert.ok(!["bind", "escalate", "impersonate", "deletecollection"].includes(verb), said);
        assert.ok(accounts.length > 0, `${said} is bound to nobody`);
      }
      for (const { roleRef } of objects)
        if (roleRef !== undefined)
          named(objects, (roleRef as { kind: string }).kind, (roleRef as { name: string }).name);
    });

    test(`gives each pod settings that it takes: ${variant}`, async (t) => {
      const objects = render(values);
      const { data } = named(objects, "ConfigMap", "reveille-settings");
      const folder = mkdtempSync(join(tmpdir(), "chart-settings-"));
      t.onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, "reveille.yaml");
      const secret = join(folder, "credential");
      writeFileSync(file, (data as Readonly<Record<string, string>>)["reveille.yaml"] ?? "");
      writeFileSync(secret, "secret");
      for (const { pod } of podsOf(objects))
        for (const { env, name, lifecycle } of pod.containers) {
          if (name === "nats") continue;
          const environment = Object.fromEntries(
            env.map((one) => [one.name, one.value?.replace("/run/reveille/bus/credential", secret)]),
          );
          const { settings } = await readSettings({ file, environment }, async () => ({
            systems: [sonataflow],
          }));
          assert.equal(settings.bus.kind, "nats");
          assert.equal(settings.health.listen.port, 8081);
          const left = pod.terminationGracePeriodSeconds * 1000 - waitOf(lifecycle);
          assert.ok(settings.drain.limit + ENDING_MILLISECONDS < left, name);
          if (name === "worker") assert.ok((settings.worker.only ?? []).length > 0);
        }
    });
  }

  test("gives each function a worker and an account with its own role alone", () => {
    const objects = render();
    const workers = podsOf(objects).filter(({ pod }) => pod.containers[0]?.name === "worker");
    for (const { name } of sonataflow.functions) {
      const worker = workers.find((one) => one.name === `reveille-${name}`);
      assert.equal(worker?.pod.serviceAccountName, `reveille-${name}`);
      const roles = grantsIn(objects)
        .filter(({ accounts }) => accounts.includes(`reveille-${name}`))
        .map(({ role }) => role.metadata.name.replace("reveille:reveille-", ""));
      assert.deepEqual(
        [...new Set(roles)].sort(),
        ["identity", "pauses", "pauses-former", name, `${name}-take-over`].sort(),
      );
    }
  });

  test("keeps what lies in a namespace within the chosen ones, and kinds of run time in roles of their own", () => {
    const grants = grantsIn(render({ ...EVERYTHING, systems: ["sonataflow"] }));
    const wide = grants.filter(({ role }) => role.kind === "ClusterRole");
    assert.deepEqual(
      [...new Set(wide.filter(({ names }) => names === undefined).map(({ resource }) => resource))].sort(),
      ["namespaces", "sonataflowclusterplatforms", "sonataflowclusterplatforms/status", "things"],
    );
    const things = grants.filter(({ resource }) => resource === "things");
    assert.deepEqual(
      things.map(({ role, accounts }) => [role.metadata.name, accounts]),
      [["reveille:reveille-sonataflow-workflows-runtime-kinds", ["reveille-flows"]]],
    );
  });

  test("leaves a system that may do everything to those who name it", () => {
    const text = (values: object): string => JSON.stringify(render(values));
    assert.doesNotMatch(text({}), /clusterversion|cluster-version|"resources":\["\*"\]/);
    const named = text({ systems: ["cluster-version"] });
    assert.match(named, /"name":"clusterversions\.config\.openshift\.io"/);
    assert.match(named, /reveille-cluster-version-payload-object/);
    assert.doesNotMatch(named, /sonataflow/);
  });

  test("lets serve take requests until nothing routes to it", () => {
    const [serve] = podsOf(render({ "serve.enabled": true })).filter(({ name }) => name === "reveille-serve");
    assert.equal(waitOf(serve?.pod.containers[0]?.lifecycle), 5_000);
    assert.equal(serve?.pod.terminationGracePeriodSeconds, 40);
  });

  test("lets pods reach the bus on the ports that its servers have", () => {
    const portsOf = (...servers: readonly string[]): readonly number[] => {
      const { spec } = named(
        render({ "bus.servers": servers, "networkPolicy.apiServer.ports": [6443] }),
        "NetworkPolicy",
        "reveille-hosts",
      );
      const { egress } = spec as {
        readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[];
      };
      return egress
        .flatMap(({ ports }) => ports.map(({ port }) => port))
        .filter((port) => ![53, 6443].includes(port));
    };
    assert.deepEqual(portsOf(), [4222]);
    assert.deepEqual(portsOf("tls://nats.example.org"), [4222]);
    assert.deepEqual(portsOf("nats://a.example.org:14222", "nats://b.example.org:14222"), [14222]);
    assert.deepEqual(portsOf("nats://a.example.org:4333", "nats://b.example.org"), [4333, 4222]);
    assert.deepEqual(portsOf("nats://[fd00::17]:4333", "tls://[fd00::18]"), [4333, 4222]);
    assert.deepEqual(portsOf("wss://nats.example.org:8443/bus:1"), [8443]);
  });

  test("counts pods by all that waits for their functions", () => {
    const objects = render({ "workers.keda.enabled": true });
    const { spec } = named(objects, "ScaledObject", "reveille-sonataflow-workflows");
    const { triggers, minReplicaCount } = spec as {
      readonly minReplicaCount: number;
      readonly triggers: readonly { readonly metadata: Readonly<Record<string, string>> }[];
    };
    assert.equal(minReplicaCount, 0);
    assert.deepEqual(
      triggers.map(({ metadata }) => [metadata.stream, metadata.consumer]),
      [
        ["reveille-state", "sonataflow-workflows-due"],
        ["reveille-work", "sonataflow-workflows-sweep"],
        ["reveille-work", "sonataflow-workflows-urgent"],
      ],
    );
    const deployment = named(objects, "Deployment", "reveille-sonataflow-workflows");
    assert.equal((deployment.spec as { readonly replicas?: number }).replicas, undefined);
  });

  test("refuses values that cannot work, and says why", () => {
    assert.match(refusal({ "watcher.replica": 3 }), /replica/);
    assert.match(refusal({ "nats.replicas": 2 }), /nats\.replicas|\/nats\/replicas/);
    assert.match(refusal({ "nats.enabled": false }), /there is no bus/);
    assert.match(refusal({ systems: ["sonataflo"] }), /there is no system sonataflo; there are .*sonataflow/);
    assert.match(refusal({ "workers.groups": { a: ["nobody"] } }), /no function fits nobody/);
    assert.match(
      refusal({ "workers.groups": { a: ["sonataflow-*"], b: ["sonataflow-platforms"] } }),
      /is in a and in b/,
    );
    assert.match(refusal({ "bus.auth.method": "nkey" }), /bus\.auth\.secretName/);
    assert.match(refusal({ "image.repository": "" }), /image\.repository: name the image/);
    assert.match(
      refusal({ "workers.keda.enabled": true, "workers.keda.minimum": 5, "workers.keda.maximum": 2 }),
      /minimum \(5\) is more than maximum \(2\)/,
    );
    const rule = { apiGroups: ["*"], resources: ["things"], verbs: ["get"] };
    assert.match(refusal({ "rbac.runtimeKinds": { "sonataflow-workflows": [rule] } }), /apiGroups/);
  });

  test("refuses settings that no process would start with", () => {
    assert.match(refusal({ "settings.worker.paralel": 3 }), /paralel/);
    assert.match(refusal({ "settings.bus.kind": "sqs" }), /kind/);
    assert.match(refusal({ "settings.runs.limit": 5 }), /limit/);
    assert.match(refusal({ "configuration.sonataflw.gracePeriod": "5s" }), /sonataflw/);
    assert.match(refusal({ "configuration.sonataflow.gracePeriodd": "5s" }), /gracePeriodd/);
    // A system of one's own is known by the module that brings it.
    const mine = { "settings.functions": ["/app/mine.js"], "configuration.mine.colour": "red" };
    assert.ok(render(mine).length > 0);
    assert.ok(render({ "settings.runs.limit": "5m", "settings.log.level": "debug" }).length > 0);
  });

  test("hands what it is given to every pod of ours", () => {
    const objects = render({
      extraEnv: [{ name: "HTTPS_PROXY", value: "http://proxy.example:3128" }],
      podAnnotations: { "example.org/team": "platform" },
      priorityClassName: "system-cluster-critical",
      serviceAccountAnnotations: { "example.org/role": "reader" },
      "podMonitor.enabled": true,
      "nats.enabled": false,
      "bus.servers": ["nats://nats.example.org:4222"],
    });
    const pods = podsOf(objects);
    assert.ok(pods.length > 2);
    for (const { name, pod } of pods) {
      assert.match(JSON.stringify(pod), /"HTTPS_PROXY"/, name);
      assert.equal(pod.priorityClassName, "system-cluster-critical", name);
      // The watchdog ends its process by a signal, which process 1 would not notice.
      assert.equal(pod.shareProcessNamespace, true, name);
    }
    for (const { metadata } of objects.filter(({ kind }) => kind === "ServiceAccount"))
      assert.equal(metadata.annotations?.["example.org/role"], "reader");
    named(objects, "PodMonitor", "reveille");
  });

  test("brings the alerts of Reveille and of its systems where they are asked for", () => {
    assert.ok(!render().some(({ kind }) => kind === "PrometheusRule"));
    const rule = named(
      render({ "prometheusRule.enabled": true, "prometheusRule.labels": { release: "prometheus" } }),
      "PrometheusRule",
      "reveille",
    );
    assert.equal(rule.metadata.labels?.release, "prometheus");
    const groupsIn = (file: string): readonly object[] =>
      (parse(readFileSync(join(chartFolder, "../../..", file), "utf8")) as { groups: object[] }).groups;
    assert.deepEqual(rule.spec, {
      groups: [...groupsIn("functions/cluster-version/alerts.yaml"), ...groupsIn("infra/deploy/alerts.yaml")],
    });
  });

  test("is taken by a real API server, whole, and its CRDs are served", { timeout: 120_000 }, async (t) => {
    const plane = await requireControlPlane(t);
    if (plane === undefined) return;
    const client = createKubeClient({ connection: loadConnection({ file: plane.kubeconfigFile }) });
    t.onTestFinished(() => client.close());
    const namespaces = ["reveille", "whole", "team-a", "team-b"].map((name) => ({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name },
    }));
    await applyAll(client, namespaces);
    // KEDA's own kind is not there.
    for (const [namespace, values] of Object.entries({ reveille: {}, whole: EVERYTHING }))
      await applyAll(
        client,
        render(values, { namespace }).filter(({ kind }) => kind !== "ScaledObject"),
      );
    const served = await client.discover("sonataflow.org", "v1alpha08");
    assert.ok(served.some(({ kind }) => kind === "SonataFlow"));
  });
});
