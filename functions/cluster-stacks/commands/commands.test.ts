import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { addonArchive, archiveNames, packed, releaseFiles } from "../decide/assets/test-release.ts";
import { Cluster, ClusterAddon, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";
import { installForeign } from "../test/kinds.ts";

let api: TestApi;
let folder: string;
let kubeconfig: string;

/** Runs a command that asks no cluster. */
const stack = (...words: readonly string[]) => reveilleHere(["cluster-stack", ...words]);
/** Runs a command against the test's cluster. */
const there = (...words: readonly string[]) => stack(...words, "--kubeconfig", kubeconfig);

async function put(kind: Kind, namespace: string, name: string, fields: Readonly<Record<string, unknown>>) {
  const { status, ...rest } = fields;
  const { version, ...resource } = resourceOf(kind);
  const served = { ...resource, version: kind.versions.at(-1) ?? version };
  const object = {
    apiVersion: `${kind.group}/${served.version}`,
    kind: kind.kind,
    metadata: { name, namespace },
    ...rest,
  };
  await api.client.create(served, object, { fieldManager: "test" });
  if (status !== undefined)
    await api.client.patch(
      served,
      { name, namespace },
      "merge",
      { status },
      {
        fieldManager: "test",
        subresource: "status",
      },
    );
}
const condition = (type: string, status: string, message = "") => ({
  type,
  status,
  lastTransitionTime: "2026-01-05T10:00:00Z",
  ...(message !== "" && { reason: "Reason", severity: "Warning", message }),
});

async function publish(tag: string, files: Readonly<Record<string, string | Uint8Array>>) {
  await mkdir(join(folder, "releases", tag), { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, "releases", tag, name), content);
}

beforeAll(async () => {
  api = await startTestApi({ api: "local", controllers: false });
  await installKinds(api.client, [ClusterStack, ClusterStackRelease, ClusterAddon]);
  folder = await mkdtemp(join(tmpdir(), "stack-commands-"));
  kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, await kubeconfigOf(api.connection));
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("list", () => {
  it("says so where there is nothing", async () => {
    const { code, stdout } = await there("list", "-A");
    assert.deepEqual([code, stdout], [0, "There is no ClusterStack.\n"]);
  });

  it("tells of each version whether it is usable, why not, and who uses it", async () => {
    await installForeign(api.client, Cluster);
    const spec = {
      provider: "docker",
      name: "ferrol",
      kubernetesVersion: "1.27",
      noProvider: true,
      versions: ["v1", "v9"],
    };
    const synced = condition("ReleasesSynced", "False", "source default: it does not answer");
    await put(ClusterStack, "default", "ferrol", { spec, status: { conditions: [synced] } });
    await put(ClusterStackRelease, "default", "docker-ferrol-1-27-v1", {
      status: { ready: true, kubernetesVersion: "v1.27.3", conditions: [condition("Ready", "True")] },
    });
    await put(ClusterStackRelease, "default", "docker-ferrol-1-27-v10", {
      status: {
        ready: false,
        conditions: [
          condition("Ready", "False", "source default has no release docker-ferrol-1-27-v10"),
          condition("ClusterStackReleaseDownloaded", "False", "no such release"),
        ],
      },
    });
    await put(Cluster, "default", "demo", { spec: { topology: { class: "docker-ferrol-1-27-v1" } } });
    const { code, stdout, stderr } = await there("list");
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      [
        "NAMESPACE   STACK    VERSION   KUBERNETES   USABLE   IN USE BY              WHY NOT",
        "default     ferrol   v1        v1.27.3      yes      Cluster default/demo",
        "default     ferrol   v9                     no                              not there yet",
        "default     ferrol   v10                    no                              downloading release assets: source default has no release docker-ferrol-1-27-v10",
        "default/ferrol: source default: it does not answer",
        "",
      ].join("\n"),
    );
    const json = JSON.parse((await there("list", "-n", "default", "-o", "json")).stdout);
    assert.deepEqual(json[0].versions[0].users, ["Cluster default/demo"]);
    assert.equal((await there("list", "-n", "elsewhere")).stdout, "There is no ClusterStack.\n");
  });

  it("takes one of -n and -A", async () => {
    const { code, stderr } = await there("list", "-A", "-n", "default");
    assert.equal(code, 2);
    assert.match(stderr, /Say one of --namespace and --all-namespaces/);
  });
});

describe("releases", () => {
  it("are listed with what is read of them, by stack and age", async () => {
    await publish("docker-ferrol-1-27-v10", await releaseFiles("docker-ferrol-1-27-v10"));
    await publish("docker-ferrol-1-27-v2", {
      ...(await releaseFiles("docker-ferrol-1-27-v2")),
      "metadata.yaml": "a: 1\n",
    });
    await publish("docker-ferrol-1-27-v0-sha-abc", await releaseFiles("docker-ferrol-1-27-v0-sha-abc"));
    await publish("leftover", { "metadata.yaml": "" });
    const { code, stdout, stderr } = await stack("releases", join(folder, "releases"));
    assert.equal(code, 0, stderr);
    const lines = stdout.trimEnd().split("\n");
    assert.match(lines[0] ?? "", /^RELEASE +CHANNEL +KUBERNETES +PUBLISHED +DIGEST +FAULTS$/);
    const cells = lines.slice(1).map((line) => line.split(/ {3,}/));
    assert.deepEqual(
      cells.map(([tag, channel, kubernetes]) => [tag, channel, kubernetes]),
      [
        ["docker-ferrol-1-27-v0-sha-abc", "custom", "v1.27.3"],
        ["docker-ferrol-1-27-v2", "stable", "1.27"],
        ["docker-ferrol-1-27-v10", "stable", "v1.27.3"],
      ],
    );
    assert.match(cells[2]?.[4] ?? "", /^sha256:[0-9a-f]{12}$/);
    assert.match(cells[1]?.[5] ?? "", /metadata.yaml: apiVersion: it is missing; metadata.yaml: versions/);
    assert.equal(stderr, "No names of releases: leftover\n");
  });

  it("are listed by their names alone where that is wanted", async () => {
    const { stdout } = await stack("releases", join(folder, "releases"), "--no-read");
    assert.match(stdout, /^RELEASE +CHANNEL +KUBERNETES +PUBLISHED\n/);
    assert.match(stdout, /docker-ferrol-1-27-v10 +stable +1\.27 +20/);
  });

  it("of a place that is away, or that is none, are an error with the place in it", async () => {
    const away = await stack("releases", join(folder, "nowhere"));
    assert.deepEqual([away.code, away.stdout], [1, ""]);
    assert.match(away.stderr, /^error: .*nowhere: the folder .*nowhere cannot be read \(ENOENT/);
    const none = await stack("releases", "github:acme");
    assert.equal(none.code, 2);
    assert.match(none.stderr, /github:acme is no source: write owner\/name/);
    const odd = await stack("releases", folder, "--username", "x");
    assert.equal(odd.code, 2);
    assert.match(odd.stderr, /--username: a folder takes no such flag/);
  });
});

describe("verify", () => {
  const good = "docker-ferrol-1-27-v10";
  it("says of a good release what it is, by its folder and by its tag", async () => {
    const path = join(folder, "releases");
    const { code, stdout, stderr } = await stack("verify", join(path, good));
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(
      stdout,
      /^docker-ferrol-1-27-v10 is valid: Kubernetes v1\.27\.3, addons v10 in one chart, sha256:[0-9a-f]{64}\n$/,
    );
    assert.equal((await stack("verify", good, "--from", path)).stdout, stdout);
  });

  it("tells each fault in a line of its own, and ends with 1", async () => {
    const tag = "docker-ferrol-1-27-v3";
    const { addon } = archiveNames(tag);
    await publish(tag, {
      ...(await releaseFiles(tag)),
      [addon]: await addonArchive("cni"),
      "clusteraddon.yaml": `apiVersion: clusteraddonconfig.x-k8s.io/v1alpha1
clusterAddonVersion: clusteraddons.clusterstack.x-k8s.io/v1alpha1
addonStages:
  AfterControlPlaneInitialized:
    - name: cni
    - name: csi
      action: apply
`,
    });
    const { code, stdout, stderr } = await stack("verify", join(folder, "releases", tag));
    assert.equal(code, 1);
    assert.equal(
      stdout,
      [
        "clusteraddon.yaml: stage cni of AfterControlPlaneInitialized: action: it is missing",
        "clusteraddon.yaml: stage csi of AfterControlPlaneInitialized: name: the archive of addons has no chart in a folder csi",
        "",
      ].join("\n"),
    );
    assert.match(
      stderr,
      /^error: docker-ferrol-1-27-v3 has 2 faults: a ClusterStack would not offer it\.\n$/,
    );
  });

  it("finds what no file shows: a class of another name, a template that is none, and tells a missing subchart by its file", async () => {
    const tag = "docker-ferrol-1-27-v4";
    const { cluster, addon } = archiveNames(tag);
    const chart = "apiVersion: v2\nname: x\nversion: v4\n";
    await publish(tag, {
      ...(await releaseFiles(tag)),
      [cluster]: await packed({
        "x/Chart.yaml": chart,
        "x/templates/class.yaml":
          "apiVersion: cluster.x-k8s.io/v1beta1\nkind: ClusterClass\nmetadata: {name: other}\n",
      }),
    });
    const { code, stdout } = await stack("verify", join(folder, "releases", tag));
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^[^\n]*it makes the ClusterClass other; Clusters would name docker-ferrol-1-27-v4\n$/,
    );
    const values = "values: |\n  {{ if }}\n";
    await publish(tag, { ...(await releaseFiles(tag)), "cluster-addon-values.yaml": values });
    const broken = await stack("verify", join(folder, "releases", tag));
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /^cluster-addon-values\.yaml: .*:2.*missing value for if/);
    await publish(tag, {
      ...(await releaseFiles(tag)),
      [addon]: await packed({
        "x/Chart.yaml": `${chart}dependencies: [{name: cilium, version: 1.0.0, repository: "https://charts.example.org"}]\n`,
      }),
    });
    const lacking = await stack("verify", join(folder, "releases", tag));
    assert.equal(lacking.code, 1);
    assert.match(lacking.stdout, /x\/Chart\.yaml: dependencies: charts\/ does not hold cilium/);
  });

  it("refuses what is no release", async () => {
    const { code, stderr } = await stack("verify", folder);
    assert.equal(code, 2);
    assert.match(stderr, /is no name of a release, PROVIDER-NAME-MAJOR-MINOR-VERSION/);
    const absent = await stack("verify", "docker-ferrol-1-27-v99", "--from", join(folder, "releases"));
    assert.equal(absent.code, 1);
    assert.match(absent.stderr, /releases has no release docker-ferrol-1-27-v99/);
  });
});
