import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { playedRegistry } from "../../../infra/testing/played-registry.ts";
import { filesOf } from "../../../shared/archive/index.ts";

let folder: string;
const stack = (...words: readonly string[]) => reveilleHere(["cluster-stack", ...words]);
const releases = (): string => join(folder, "releases");
const create = (...words: readonly string[]) =>
  stack("create", join(folder, "source"), "--destination", releases(), ...words);

const chart = (name: string): string => `apiVersion: v2\nname: ${name}\nversion: v1\n`;
const SOURCE: Readonly<Record<string, string>> = {
  "csctl.yaml": `apiVersion: csctl.clusterstack.x-k8s.io/v1alpha1
config:
  kubernetesVersion: v1.30.2
  clusterStackName: scs
  provider:
    type: docker
`,
  "cluster-class/Chart.yaml": chart("docker-scs-1-30-cluster-class"),
  "cluster-class/.helmignore": "*.bak\n",
  "cluster-class/notes.bak": "x",
  "cluster-class/templates/class.yaml": `apiVersion: cluster.x-k8s.io/v1beta1
kind: ClusterClass
metadata:
  name: {{ .Release.Name }}-{{ .Chart.Version }}
spec: {of: "<< .ClusterClassVersion >>", merged: "<< other >>"}
`,
  "cluster-addon/Chart.yaml": chart("addons"),
  "cluster-addon/templates/map.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: << .ClusterAddonVersion >>\n",
  "cluster-addon-values.yaml": "values: |\n  a: 1\n",
  "README.md": "Not packed.\n",
};
async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, "source", path)), { recursive: true });
    await writeFile(join(folder, "source", path), text);
  }
}
/** The texts in an archive of a release. */
async function archive(tag: string, name: string): Promise<Readonly<Record<string, string>>> {
  const files = await filesOf(await readFile(join(releases(), tag, name)));
  return Object.fromEntries([...files].map(([path, content]) => [path, new TextDecoder().decode(content)]));
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stack-pack-"));
  await write(SOURCE);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await rm(folder, { recursive: true, force: true });
});

describe("create", () => {
  it("packs a source as csctl does, and what it packed verifies", async () => {
    const { code, stdout, stderr } = await create();
    assert.equal(code, 0, stderr);
    const tag = "docker-scs-1-30-v1";
    assert.equal(stdout, `Release created: ${join(releases(), tag)}\n`);
    assert.deepEqual((await readdir(join(releases(), tag))).sort(), [
      "cluster-addon-values.yaml",
      "docker-scs-1-30-cluster-addon-v1.tgz",
      "docker-scs-1-30-cluster-class-v1.tgz",
      "hashes.json",
      "metadata.yaml",
    ]);
    const files = await archive(tag, "docker-scs-1-30-cluster-class-v1.tgz");
    assert.deepEqual(Object.keys(files).sort(), [
      "docker-scs-1-30-cluster-class/.helmignore",
      "docker-scs-1-30-cluster-class/Chart.yaml",
      "docker-scs-1-30-cluster-class/templates/class.yaml",
    ]);
    assert.match(
      files["docker-scs-1-30-cluster-class/templates/class.yaml"] ?? "",
      /of: "v1", merged: "<< other >>"/,
    );
    const { stdout: verdict } = await stack("verify", join(releases(), tag));
    assert.match(verdict, /^docker-scs-1-30-v1 is valid: Kubernetes v1\.30\.2, addons v1 in one chart/);
  });

  it("takes the list of node images along, for providers, and finds it unchanged", async () => {
    await write({ "node-images.yaml": "images: [<< .NodeImageVersion >>]\n" });
    await create();
    const made = join(releases(), "docker-scs-1-30-v1");
    assert.equal(await readFile(join(made, "node-images.yaml"), "utf8"), "images: [v1]\n");
    assert.match(await readFile(join(made, "metadata.yaml"), "utf8"), /^ {4}nodeImage: v1$/m);
    assert.match((await stack("verify", made)).stdout, /^docker-scs-1-30-v1 is valid/);
    assert.match((await create()).stdout, /^Nothing changed/);
  });

  it("makes the next stable version of what changed, and leaves the addons theirs", async () => {
    await create();
    assert.equal((await create()).stdout, "Nothing changed since docker-scs-1-30-v1: no release was made.\n");
    await write({ "README.md": "Changed.\n" });
    assert.match((await create()).stdout, /^Nothing changed/);
    await write({ "cluster-class/values.yaml": "a: 2\n" });
    await create();
    await write({ "cluster-addon-values.yaml": "values: |\n  a: 2\n" });
    await create();
    await write({ "csctl.yaml": (SOURCE["csctl.yaml"] ?? "").replace("1.30.2", "1.30.3") });
    await create();
    const addons = await Promise.all(
      ["v2", "v3", "v4"].map(async (version) =>
        (await readdir(join(releases(), `docker-scs-1-30-${version}`))).find(
          (name) => name.endsWith(".tgz") && name.includes("-cluster-addon-"),
        ),
      ),
    );
    assert.deepEqual(addons, [
      "docker-scs-1-30-cluster-addon-v1.tgz",
      "docker-scs-1-30-cluster-addon-v2.tgz",
      "docker-scs-1-30-cluster-addon-v2.tgz",
    ]);
    const metadata = await readFile(join(releases(), "docker-scs-1-30-v4", "metadata.yaml"), "utf8");
    assert.match(
      metadata,
      /clusterStack: v4\n {2}kubernetes: v1\.30\.3\n {2}components:\n {4}clusterAddon: v2\n/,
    );
  });

  it("names a version by its content, or as it is told", async () => {
    const first = (await create("--mode", "hash")).stdout;
    assert.match(first, /docker-scs-1-30-v0-sha-[a-z0-9]{7}\n$/);
    const again = await create("-m", "hash");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /cannot be written: it is there already, and a release never changes/);
    await write({ "cluster-addon/values.yaml": "a: 3\n" });
    assert.notEqual((await create("--mode", "hash")).stdout, first);
    const bare = await create("--mode", "custom");
    assert.equal(bare.code, 2);
    assert.match(bare.stderr, /--mode custom wants --cluster-stack-version/);
    const given = await create(
      ...["--mode", "custom", "--cluster-stack-version", "v1-beta.2", "--cluster-addon-version", "v1-beta.1"],
    );
    assert.match(given.stdout, /docker-scs-1-30-v1-beta-2\n$/);
    const files = await archive("docker-scs-1-30-v1-beta-2", "docker-scs-1-30-cluster-addon-v1-beta.1.tgz");
    assert.match(files["addons/Chart.yaml"] ?? "", /^version: v1-beta\.1$/m);
    assert.match(files["addons/templates/map.yaml"] ?? "", /name: v1-beta\.1/);
    const odd = await create("--mode", "custom", "--cluster-stack-version", "1");
    assert.match(odd.stderr, /1 is no version: write v1 or v0-label\.patch/);
  });

  it("packs the charts of stages side by side, and writes nothing that has a fault", async () => {
    await rm(join(folder, "source/cluster-addon"), { recursive: true });
    const stages = (name: string): string => `apiVersion: clusteraddonconfig.x-k8s.io/v1alpha1
clusterAddonVersion: clusteraddons.clusterstack.x-k8s.io/v1alpha1
addonStages:
  AfterControlPlaneInitialized:
    - name: ${name}
      action: apply
`;
    await write({ "cluster-addon/cni/Chart.yaml": chart("CNI"), "clusteraddon.yaml": stages("csi") });
    const faulty = await create();
    assert.equal(faulty.code, 1);
    assert.match(faulty.stdout, /^clusteraddon\.yaml: stage csi of .*no chart in a folder csi\n$/);
    assert.match(faulty.stderr, /docker-scs-1-30-v1 has 1 fault: it was not written/);
    await assert.rejects(readdir(releases()), /ENOENT/);
    await write({ "clusteraddon.yaml": stages("cni") });
    assert.equal((await create()).code, 0);
    const files = await archive("docker-scs-1-30-v1", "docker-scs-1-30-cluster-addon-v1.tgz");
    assert.deepEqual(Object.keys(files), ["cni/Chart.yaml"]);
  });

  it("says what a folder lacks to be a source", async () => {
    await rm(join(folder, "source/cluster-class"), { recursive: true });
    const { code, stderr } = await create();
    assert.equal(code, 1);
    assert.match(stderr, /source is no source of a stack: cluster-class\/Chart\.yaml: it is missing/);
    await write({ "csctl.yaml": "config: {clusterStackName: a-b}\n" });
    assert.match(
      (await create()).stderr,
      /csctl\.yaml: apiVersion: it is missing; .*neither dashes nor spaces/,
    );
    const away = await stack("create", join(folder, "nowhere"));
    assert.match(away.stderr, /nowhere cannot be read: ENOENT/);
  });
});

describe("publish", () => {
  const release = (): string => join(releases(), "docker-scs-1-30-v1");

  it("puts a release into a folder once", async () => {
    await create();
    const to = join(folder, "public");
    const { code, stdout, stderr } = await stack("publish", release(), "--to", to);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, `Release published: ${join(to, "docker-scs-1-30-v1")}\n`);
    assert.match((await stack("releases", to)).stdout, /docker-scs-1-30-v1 +stable +v1\.30\.2/);
    const again = await stack("publish", release(), "--to", to);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /it is there already, and a release never changes/);
  });

  it("puts a release into a registry once, where others find it", async () => {
    vi.stubGlobal("fetch", playedRegistry().fetch);
    await create();
    const to = "oci://registry.example.org/acme/stacks";
    const { code, stdout, stderr } = await stack("publish", release(), "--to", to);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, `Release published: ${to}:docker-scs-1-30-v1\n`);
    assert.match((await stack("releases", to)).stdout, /docker-scs-1-30-v1 +stable +v1\.30\.2 +sha256:/);
    assert.match((await stack("verify", "docker-scs-1-30-v1", "--from", to)).stdout, /is valid/);
    const again = await stack("publish", release(), "--to", to);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /has a release docker-scs-1-30-v1 already, and a release never changes/);
  });

  it("publishes nothing that has a fault, and nothing on GitHub", async () => {
    await create();
    const github = await stack("publish", release(), "--to", "github:acme/stacks");
    assert.equal(github.code, 2);
    assert.match(github.stderr, /`gh release create docker-scs-1-30-v1 FOLDER\/\* --repo acme\/stacks`/);
    await rm(join(release(), "docker-scs-1-30-cluster-addon-v1.tgz"));
    const faulty = await stack("publish", release(), "--to", join(folder, "public"));
    assert.deepEqual(
      [faulty.code, faulty.stdout],
      [1, "docker-scs-1-30-cluster-addon-v1.tgz: it is missing\n"],
    );
    assert.match(faulty.stderr, /has 1 fault: it was not published/);
  });
});
