import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { onTestFinished, test, vi } from "vitest";
import { clusterStacks } from "../../functions/cluster-stacks/index.ts";
import { clusterOf } from "../../functions/cluster-stacks/test/hooks.ts";
import { type Stage, startStage, tag } from "../../functions/cluster-stacks/test/stage.ts";
import { onceReady, stagedFiles } from "../../functions/cluster-stacks/test/staged.ts";
import { startReveille, temporaryFolder } from "../../infra/testing/command-line.ts";
import { environmentOf, startEmulatedAws } from "../../infra/testing/emulated-aws.ts";
import { sqsFleet } from "../../infra/testing/fleets.ts";
import { kubeconfigOf } from "../../infra/testing/kubeconfig.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { createAuthority } from "../../shared/tls/index.ts";

const [OLD, NEW] = ["v1.27.3", "v1.27.7"] as const;
const HOOK = "BeforeClusterUpgrade";
const AFTER = `, waitForPostCondition: ${onceReady("cni")}`;

const ending = { onTestFinished: (end: () => unknown) => onTestFinished(async () => void (await end())) };

/** A management cluster whose functions run over emulated queues, and `reveille serve` on the same bus and API server. */
async function scene(): Promise<{ readonly s: Stage; readonly serves: string; readonly ca: string }> {
  const aws = await startEmulatedAws(clusterStacks.functions.map(({ name }) => name));
  onTestFinished(() => aws.stop());
  for (const [name, value] of Object.entries(aws.credentials)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const s = await startStage({ api: "local", fleet: sqsFleet(aws, 2) });
  onTestFinished(() => s.stop());
  const folder = temporaryFolder(ending);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const authority = createAuthority();
  const shown = authority.issue({ commonName: "serve", serverNames: ["127.0.0.1"] });
  const kubeconfig = file("kubeconfig", await kubeconfigOf(s.stack.api.connection));
  const serve = startReveille(
    ending,
    ["serve", "--systems", clusterStacks.name, "--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig],
    {
      ...environmentOf(aws),
      REVEILLE_SERVE_ADMISSION_LISTEN: "127.0.0.1:0",
      REVEILLE_SERVE_ADMISSION_CERTIFICATE: file("cert.pem", shown.certificate),
      REVEILLE_SERVE_ADMISSION_KEY: file("key.pem", shown.key),
    },
  );
  await serve.says('"admissions"');
  return { s, serves: /"admissions":"([^"]+)"/.exec(serve.stdout())?.[1] ?? "", ca: authority.certificate };
}

/** Asks before an upgrade, as Cluster API does. */
const asking = (serves: string, ca: string) => (): Promise<Readonly<Record<string, unknown>>> =>
  new Promise((resolve, reject) => {
    const path = `/hooks.runtime.cluster.x-k8s.io/v1alpha1/${HOOK.toLowerCase()}/before-cluster-upgrade?timeout=10s`;
    const headers = { "content-type": "application/json" };
    const sent = request(`${serves}${path}`, { ca, headers, method: "POST", agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    });
    sent.on("error", reject);
    sent.end(
      JSON.stringify({
        apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1",
        kind: `${HOOK}Request`,
        cluster: clusterOf("demo", tag("v2"), NEW),
        fromKubernetesVersion: OLD,
        toKubernetesVersion: NEW,
      }),
    );
  });

test("`serve` answers the hooks of addons whose functions run over queues", {
  timeout: 120_000,
}, async () => {
  const { s, serves, ca } = await scene();
  const ask = asking(serves, ca);
  const stages = {
    AfterControlPlaneInitialized: "  - {name: cni, action: apply}\n",
    [HOOK]: `  - {name: cni, action: apply${AFTER}}\n`,
  };
  for (const [version, kubernetes] of [
    ["v1", OLD],
    ["v2", NEW],
  ] as const)
    s.source.put(
      tag(version),
      await stagedFiles(tag(version), { stages, charts: { cni: { cni: version } }, kubernetes }),
      { publishedAt: "2024-01-01T00:00:00Z" },
    );
  await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
  const there = await s.workload("demo");
  const phase = async (): Promise<string | undefined> => (await s.addon("demo"))?.status?.stages?.[0]?.phase;
  const installed = (version: string): Promise<void> =>
    s.until(`the addons of ${version}`, async () => {
      const { spec, status } = (await s.addon("demo")) ?? {};
      return status?.ready === true && spec?.clusterStack === tag(version);
    });
  await s.cluster("demo", { class: tag("v1"), version: OLD });
  await installed("v1");
  await s.cluster("demo", { class: tag("v2"), version: NEW });
  const cni = { name: "cni", namespace: "kube-system" };
  const map = async () => (await there.client.get(resourceOf(ConfigMap), cni))?.data;
  assert.partialDeepStrictEqual(await map(), { value: "v1" });
  assert.partialDeepStrictEqual(await ask(), { status: "Success", retryAfterSeconds: 10 });
  await s.until("the stage to wait", async () => (await phase()) === "waitingForPostCondition");
  assert.partialDeepStrictEqual(await map(), { value: "v2" });
  assert.match(String((await ask()).message), /stage cni: waitingForPostCondition/);
  const { namespace } = cni;
  await there.client.patch(
    resourceOf(ConfigMap),
    { name: cni.name, namespace },
    "merge",
    { data: { ready: "yes" } },
    { fieldManager: "user" },
  );
  await installed("v2");
  const { retryAfterSeconds, status } = await ask();
  assert.deepEqual([status, retryAfterSeconds], ["Success", undefined]);
});
