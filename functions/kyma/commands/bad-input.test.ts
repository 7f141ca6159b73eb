import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Kyma, KymaPolicy, Manifest, ModuleReleaseMeta, ModuleTemplate } from "../kinds/index.ts";

const PLACE = { name: "rt", namespace: "default" };
const spec = { channel: "regular", modules: [{ name: "alpha-store" }] };

let api: TestApi;
let folder: string;
let kubeconfig: string;
beforeAll(async () => {
  api = await startTestApi({ api: "local", controllers: false });
  await installKinds(api.client, [Kyma, KymaPolicy, Manifest, ModuleReleaseMeta, ModuleTemplate]);
  folder = await mkdtemp(join(tmpdir(), "kyma-bad-input-"));
  kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, await kubeconfigOf(api.connection));
  const body = { apiVersion: `${Kyma.group}/${Kyma.version}`, kind: "Kyma", metadata: PLACE, spec };
  await api.client.create(resourceOf(Kyma), body, { fieldManager: "test" });
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

const there = (...words: readonly string[]) =>
  reveilleHere(["kyma", ...words, "-n", PLACE.namespace, "--kubeconfig", kubeconfig]);
async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

describe("a name that is none", () => {
  it.each(["", "a/b", "../rt", "Foo_Bar"])(
    "of a Kyma is refused before anything is asked: %j",
    async (name) => {
      for (const words of [
        ["module", "list", "--kyma", name],
        ["blockers", name],
        ["force-delete", name],
        ["windows", "--kyma", name],
      ]) {
        const { code, stdout, stderr } = await there(...words);
        assert.deepEqual([code, stdout], [2, ""], words.join(" "));
        assert.ok(stderr.includes(`${JSON.stringify(name)} names no Kyma`), stderr);
      }
    },
  );

  it.each(["", "a/b", "Foo_Bar", "a".repeat(65)])("of a module is never written: %j", async (module) => {
    const { code, stderr } = await there("module", "enable", module, "--kyma", "rt");
    assert.equal(code, 2);
    assert.match(stderr, /names no module: write alpha-store/);
    const stored = (await api.client.get(resourceOf(Kyma), PLACE))?.spec as typeof spec;
    assert.deepEqual(
      stored.modules.map(({ name }) => name),
      ["alpha-store"],
    );
  });
});

describe("policies that are none", () => {
  const policy =
    "apiVersion: reveille.dev/v1alpha1\nkind: KymaPolicy\nmetadata: {name: p}\nspec: {selector: {}, deny: [alpha-store]}\n";
  it.each([
    ["empty.yaml", ""],
    ["comment.yaml", "# nothing\n---\n"],
  ])("are named: %s", async (name, text) => {
    const { code, stderr } = await there("policy", "check", await file(name, text));
    assert.equal(code, 1);
    assert.ok(stderr.includes(`${name} holds no KymaPolicy: name a file that does`), stderr);
  });
  it.each([
    [
      "version",
      "enforce: [{module: a, version: '>=1.0.0'}]",
      /spec\.enforce\[0\]\.version: Invalid value: ">=1\.0\.0"/,
    ],
    ["channel", "allowChannels: [Fast]", /spec\.allowChannels\[0\]: Invalid value: "Fast"/],
    ["twice", "deny: [a, a]", /spec\.deny\[1\]: Duplicate value: "a"/],
    ["misspelt", "denyy: [a]", /spec\.denyy: unknown field/],
    ["misspelt within", "enforce: [{module: a, chanel: fast}]", /spec\.enforce\[0\]\.chanel: unknown field/],
    [
      "of another type",
      "deny: 5, enforce: {module: a}",
      /spec\.deny: .* type array.*; spec\.enforce: .* type array/,
    ],
    [
      "each of several",
      "deny: [a, a], denyy: [a]",
      /spec\.denyy: unknown field; spec\.deny\[1\]: Duplicate value: "a"/,
    ],
  ])("are named where the server would refuse them: %s", async (name, rules, says) => {
    const text = policy.replace("deny: [alpha-store]", rules);
    const { code, stdout, stderr } = await there("policy", "check", await file(`${name}.yaml`, text));
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, says);
    assert.match(stderr, /document 1: .*: the API server would refuse it/);
  });
  it("are those of a list, too", async () => {
    const item = policy.trimEnd().replaceAll("\n", "\n  ");
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${item}\n`;
    assert.equal((await there("policy", "check", await file("list.yaml", list))).code, 0);
    const { code, stderr } = await there(
      "policy",
      "check",
      await file("none.yaml", "kind: List\nitems: []\n"),
    );
    assert.equal(code, 1);
    assert.match(stderr, /none\.yaml holds no KymaPolicy/);
    const broken = `${list}- {apiVersion: v1, kind: ConfigMap, metadata: {}}\n`;
    const second = await there("policy", "check", await file("second.yaml", broken));
    assert.equal(second.code, 1);
    assert.match(second.stderr, /second\.yaml, document 1, item 2: it has no metadata\.name/);
  });
  it("are named with what stands in them twice", async () => {
    const twofold = policy.replace("{selector: {},", "{selector: {}, deny: [mesh-core],");
    const { code, stderr } = await there("policy", "check", await file("twofold.yaml", twofold));
    assert.equal(code, 1);
    assert.match(stderr, /twofold\.yaml, document 1: spec\.deny stands there twice: leave one of them out/);
  });
  it("are not checked where two have one name", async () => {
    const one = await file("p.yaml", policy);
    assert.equal((await there("policy", "check", one)).code, 0);
    const { code, stderr } = await there("policy", "check", one, one);
    assert.equal(code, 1);
    assert.match(stderr, /The KymaPolicy p is written twice: leave one of them out/);
  });
});

it("a control plane with a path is none", async () => {
  for (const host of ["a/b", "user@a", "a?b", "a b"]) {
    const files = ["--certificate", kubeconfig, "--key", kubeconfig, "--authorities", join(folder, "absent")];
    const { code, stderr } = await reveilleHere([
      ...["kyma", "runtime-watcher", "--control-plane", host, "--manager", "m", ...files],
    ]);
    assert.equal(code, 2, host);
    assert.ok(stderr.includes(`--control-plane ${host}: write a host, or host:port`), stderr);
  }
});
