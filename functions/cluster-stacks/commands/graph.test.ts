import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { apiVersionOf } from "../../../shared/kube/object.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { ClusterAddon, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";
import { bringKinds } from "../simulate/crds.ts";
import { CLUSTERS, PROVIDER_RELEASES } from "../simulate/resources.ts";

let api: TestApi;
let folder: string;
let kubeconfig: string;
const stack = (...words: readonly string[]) =>
  reveilleHere(["cluster-stack", ...words, "--kubeconfig", kubeconfig]);

const TAG = "docker-ferrol-1-27-v1";
type Tree = Readonly<Record<string, unknown>>;
async function put(resource: Resource, name: string, spec: Tree, status: Tree): Promise<void> {
  const at = { name, namespace: "default" };
  const object = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: at, spec };
  const options = { fieldManager: "test", force: true };
  await api.client.apply(resource, at, object, options);
  await api.client.patch(resource, at, "merge", { status }, { fieldManager: "test", subresource: "status" });
}
const ready = (message?: string) => ({
  conditions: [
    {
      type: "Ready",
      status: message === undefined ? "True" : "False",
      ...(message !== undefined && { reason: "Waiting", message, severity: "Info" }),
      lastTransitionTime: "2026-01-05T10:00:00Z",
    },
  ],
});
const addon = (clusterStack: string, status: Tree): Promise<void> =>
  put(
    resourceOf(ClusterAddon),
    "cluster-addon-demo",
    { clusterRef: { kind: "Cluster", name: "demo", namespace: "default" }, clusterStack },
    status,
  );
const release = (status: Tree): Promise<void> =>
  put(
    resourceOf(ClusterStackRelease),
    TAG,
    {
      providerRef: {
        apiVersion: apiVersionOf(PROVIDER_RELEASES),
        kind: PROVIDER_RELEASES.kind,
        name: TAG,
        namespace: "default",
      },
    },
    status,
  );

beforeAll(async () => {
  api = await startTestApi({ api: "local", controllers: false });
  await installKinds(api.client, [ClusterStack, ClusterStackRelease, ClusterAddon]);
  await bringKinds(api.client);
  folder = await mkdtemp(join(tmpdir(), "stack-graph-"));
  kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, await kubeconfigOf(api.connection));
  const spec = { provider: "docker", name: "ferrol", kubernetesVersion: "1.27", noProvider: true };
  await put(
    resourceOf(ClusterStack),
    "ferrol",
    { ...spec, source: "mirror" },
    { ...ready(), usableVersions: "v1" },
  );
  const resource = {
    group: "cluster.x-k8s.io",
    version: "v1beta1",
    kind: "ClusterClass",
    namespace: "default",
    name: TAG,
    status: "synced",
  };
  await release({ ready: true, ...ready(), resources: [resource] });
  await put(PROVIDER_RELEASES, TAG, {}, { ready: true });
  await put(CLUSTERS, "demo", { topology: { class: TAG } }, ready());
  await addon(TAG, {
    ready: false,
    ...ready("stage csi waits"),
    stages: [
      { name: "cni", action: "apply", phase: "done" },
      { name: "csi", action: "apply", phase: "waitingForPostCondition" },
    ],
  });
  await put(CLUSTERS, "other", { topology: { class: "somebody-elses" } }, {});
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

const BELOW = [
  `└── ClusterStackRelease ${TAG} [ready]`,
  `    ├── DockerClusterStackRelease ${TAG} [ready]`,
  `    └── ClusterClass ${TAG} [ready]`,
  "        └── Cluster demo [ready]",
  "            └── ClusterAddon cluster-addon-demo [waiting: stage csi waits]",
  "                ├── stage cni [ready]",
  "                └── stage csi [waiting: waitingForPostCondition]",
  "",
];

describe("graph", () => {
  it("shows what follows from a stack, and what is in the way", async () => {
    const { code, stdout, stderr } = await stack("graph", "ferrol", "-n", "default");
    assert.equal(code, 0, stderr);
    assert.equal(stdout, ["ClusterStack ferrol [ready]", ...BELOW].join("\n"));
  });

  it("shows of a Cluster what leads to it alone; one of no stack stands for itself", async () => {
    const { stdout } = await stack("graph", "demo");
    assert.equal(
      stdout,
      ["ClusterStack ferrol [ready]", ...BELOW.filter((line) => !line.includes("DockerCluster"))].join("\n"),
    );
    assert.equal((await stack("graph", "other")).stdout, "Cluster other\n");
  });

  it("is drawn by Graphviz, or as a picture of its own", async () => {
    const { stdout: dot } = await stack("graph", "ferrol", "-o", "dot");
    assert.match(dot, /^digraph stack \{\n {2}rankdir=LR;\n/);
    assert.match(dot, /n0 \[label="ClusterStack\\nferrol\\nready", fillcolor="#d7f0d9"\];/);
    assert.equal(dot.match(/->/g)?.length, 7);
    const { stdout: svg } = await stack("graph", "ferrol", "-o", "svg");
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+"/);
    assert.equal(svg.match(/<rect /g)?.length, 8);
    assert.match(svg, /<title>ClusterAddon cluster-addon-demo: waiting: stage csi waits<\/title>/);
    assert.ok(svg.endsWith("</svg>\n"));
    const json = JSON.parse((await stack("graph", "ferrol", "-o", "json")).stdout);
    assert.equal(json.below[0].below[1].kind, "ClusterClass");
  });

  it("shows of a stack that differs in its channel no release of the other, and neither does list", async () => {
    const spec = { provider: "docker", name: "ferrol", kubernetesVersion: "1.27", noProvider: true };
    await put(resourceOf(ClusterStack), "trial", { ...spec, channel: "custom" }, ready());
    assert.equal((await stack("graph", "trial")).stdout, "ClusterStack trial [ready]\n");
    const listed = (await stack("list")).stdout.split("\n").filter((line) => line.includes("trial"));
    assert.deepEqual(
      listed.map((line) => line.trim().split(/ +/)),
      [["default", "trial", "none"]],
    );
  });

  it("says where there is neither a stack nor a Cluster of that name", async () => {
    const { code, stderr } = await stack("graph", "nobody");
    assert.equal(code, 1);
    assert.match(stderr, /There is neither a ClusterStack nor a Cluster default\/nobody/);
  });
});

describe("diff", () => {
  it("asks for a version that is not there yet the source of its stack", async () => {
    const tag = "docker-ferrol-1-27-v2";
    const place = join(folder, "mirror", tag);
    await mkdir(place, { recursive: true });
    for (const [name, content] of Object.entries(await releaseFiles(tag)))
      await writeFile(join(place, name), content);
    const settings = join(folder, "settings.yaml");
    const sources = { default: { folder: join(folder, "none") }, mirror: { folder: join(folder, "mirror") } };
    await writeFile(settings, JSON.stringify({ configuration: { "cluster-stacks": { sources } } }));
    const { code, stdout, stderr } = await stack("diff", "demo", "--to", tag, "--config", settings);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /docker-ferrol-1-27-v1 → docker-ferrol-1-27-v2/);
  });
});

describe("wait", () => {
  it("ends at once where it holds", async () => {
    const any = await stack("wait", "stack", "ferrol");
    assert.deepEqual([any.code, any.stdout, any.stderr], [0, "default/ferrol can be used.\n", ""]);
    assert.equal(
      (await stack("wait", "stack", "ferrol", "--version", "v1")).stdout,
      "default/ferrol v1 can be used.\n",
    );
  });

  it("says what it waits for, and ends with 1 where that does not come", async () => {
    const late = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await stack("wait", ...words, "--timeout", "1ms");
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /It did not come to pass in time/);
      return stderr.split("\n")[0];
    };
    assert.equal(await late("stack", "nobody"), "waits: there is no ClusterStack default/nobody");
    assert.equal(
      await late("stack", "ferrol", "--version", "v9"),
      "waits: docker-ferrol-1-27-v9: not there yet",
    );
    assert.equal(
      await late("cluster", "demo"),
      `waits: the addons of ${TAG} are not ready: stage csi waits: stage csi is waitingForPostCondition`,
    );
    assert.equal(
      await late("cluster", "other"),
      "waits: Cluster default/other names no class of a stack: somebody-elses",
    );
  });

  it("ends when addons become ready", async () => {
    const waiting = stack("wait", "cluster", "demo");
    await addon(TAG, { ready: true, ...ready(), stages: [] });
    const { code, stdout, stderr } = await waiting;
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "The addons of default/demo are ready.\n");
    const upgrade = {
      clusterStack: TAG,
      namespace: "default",
      digest: "sha256:1",
      version: "v1",
      kubernetesVersion: "v1.27.3",
      hook: "BeforeClusterUpgrade",
      from: { clusterStack: "docker-ferrol-1-26-v1", kubernetesVersion: "v1.26.9" },
    };
    await addon(TAG, { ready: true, target: upgrade });
    const { stderr: between } = await stack("wait", "cluster", "demo", "--timeout", "1ms");
    assert.match(between, /^waits: Kubernetes is being upgraded from v1.26.9 to v1.27.3: Cluster API/);
    const sameKubernetes = { ...upgrade, from: { ...upgrade.from, kubernetesVersion: "v1.27.3" } };
    for (const target of [{ ...upgrade, hook: "AfterClusterUpgrade" }, sameKubernetes]) {
      await addon(TAG, { ready: true, target });
      assert.equal((await stack("wait", "cluster", "demo")).code, 0);
    }
    await addon("docker-ferrol-1-27-v0", { ready: true });
    const { stderr: behind } = await stack("wait", "cluster", "demo", "--timeout", "1ms");
    assert.match(behind, /^waits: the addons of docker-ferrol-1-27-v1 are not installed yet/);
  });

  it("refuses what is no version, and one of a Cluster", async () => {
    assert.match((await stack("wait", "stack", "ferrol", "--version", "1")).stderr, /1 is no version/);
    const { code, stderr } = await stack("wait", "cluster", "demo", "--version", "v1");
    assert.equal(code, 2);
    assert.match(stderr, /--version is of a stack/);
  });
});
