import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it, type TestContext } from "vitest";
import { reveille, startReveille } from "../../../../infra/testing/command-line.ts";
import { reveilleHere } from "../../../../infra/testing/in-process.ts";
import { kubeconfigOf } from "../../../../infra/testing/kubeconfig.ts";
import { startTestApi, type TestApi } from "../../../../infra/testing/test-api.ts";
import { resourceOf } from "../../../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Namespace } from "../../../../shared/kube/kinds/index.ts";
import { Kyma, Manifest, ModuleReleaseMeta, ModuleTemplate } from "../../kinds/index.ts";
import { testLayout } from "../../ports/components/test-layout.ts";

let api: TestApi;
let folder: string;
let kubeconfig: string;

const words = (...more: readonly string[]): readonly string[] => [
  ...["kyma", "run", "--kubeconfig", kubeconfig],
  ...["--catalog", join(folder, "catalog"), "-f", join(folder, "kyma.yaml"), ...more],
];
const run = (...more: readonly string[]) => reveilleHere(words(...more));

interface Version {
  readonly module: string;
  readonly version: string;
  /** Undefined: the catalog tells of it, and its component is missing. */
  readonly layer?: string;
}
/** Writes a catalog in place of the one before. */
async function catalog(...versions: readonly Version[]): Promise<void> {
  await rm(join(folder, "catalog"), { recursive: true, force: true });
  const layout = await testLayout();
  for (const { module, version, layer } of versions)
    if (layer !== undefined) await layout.put({ name: `acme.test/mods/${module}`, version, layer });
  await cp(layout.folder, join(folder, "catalog", "components"), { recursive: true });
  await layout.stop();
  const documents = versions.flatMap(({ module, version }) => [
    {
      kind: "ModuleReleaseMeta",
      metadata: { name: module },
      spec: {
        moduleName: module,
        ocmComponentName: `acme.test/mods/${module}`,
        channels: [{ channel: "regular", version }],
      },
    },
    {
      kind: "ModuleTemplate",
      metadata: { name: `${module}-${version}` },
      spec: { moduleName: module, version, descriptor: {} },
    },
  ]);
  const text = documents
    .map((one) => JSON.stringify({ apiVersion: "operator.kyma-project.io/v1beta2", ...one }))
    .join("\n---\n");
  await writeFile(join(folder, "catalog", "catalog.yaml"), text);
}
const wants = (...modules: readonly string[]): Promise<void> =>
  writeFile(
    join(folder, "kyma.yaml"),
    JSON.stringify({
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Kyma",
      metadata: { name: "one" },
      spec: { channel: "regular", modules: modules.map((name) => ({ name })) },
    }),
  );
const map = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\ndata: {of: ${name}}\n`;
const maps = async (): Promise<readonly string[]> =>
  (await api.client.list(resourceOf(ConfigMap), { namespace: "default" })).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== "kube-root-ca.crt");
/** Waits for ever: nothing makes its pods. */
const WORKLOAD = `apiVersion: apps/v1
kind: Deployment
metadata: {name: slow, namespace: default, annotations: {simulator.reveille.dev/outcome: hang}}
spec:
  selector: {matchLabels: {app: slow}}
  template: {metadata: {labels: {app: slow}}, spec: {containers: [{name: slow, image: "example.org/slow:1"}]}}
`;

/** The version of each object that a run may write. */
async function versions(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of [Kyma, Manifest, ModuleReleaseMeta, ModuleTemplate, ConfigMap, Deployment, Namespace])
    for (const { metadata } of (await api.client.list(resourceOf(kind))).items)
      found.push(`${kind.kind} ${metadata.name} ${metadata.resourceVersion}`);
  return found;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kyma-run-"));
  api = await startTestApi({ api: "local" });
  kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, await kubeconfigOf(api.connection));
});
afterEach(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("run", () => {
  it("installs, writes nothing the second time, and takes away what is wanted no longer", async () => {
    await catalog(
      { module: "alpha", version: "1.0.0", layer: map("alpha") },
      { module: "beta", version: "1.0.0", layer: map("beta") },
    );
    await wants("alpha", "beta");
    const first = await run();
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^alpha +regular +1\.0\.0 +Ready$/m);
    assert.match(first.stderr, /^beta 1\.0\.0: Ready$/m);
    assert.deepEqual(await maps(), ["alpha", "beta"]);
    const before = await versions();
    const second = await run("-o", "json");
    assert.equal(second.code, 0, second.stderr);
    assert.equal(JSON.parse(second.stdout).state, "Ready");
    assert.deepEqual(await versions(), before);
    await catalog({ module: "alpha", version: "1.1.0", layer: map("alpha-next") });
    await wants("alpha");
    const third = await run();
    assert.equal(third.code, 0, third.stderr);
    assert.deepEqual(await maps(), ["alpha-next"]);
    const templates = (await api.client.list(resourceOf(ModuleTemplate))).items.map(
      ({ metadata }) => metadata.name,
    );
    assert.deepEqual(templates, ["alpha-1.1.0"]);
  });

  it("installs the first of two modules whose Manifests would have one name, and says why not the other", async () => {
    await catalog(
      { module: "alpha", version: "1.0.0", layer: map("alpha") },
      { module: "beta", version: "1.0.0", layer: map("beta") },
    );
    const named = async (...modules: readonly string[]): Promise<void> => {
      await wants(...modules);
      const text = await readFile(join(folder, "kyma.yaml"), "utf8");
      await writeFile(join(folder, "kyma.yaml"), text.replace('"name":"one"', `"name":"${"k".repeat(63)}"`));
    };
    await named("alpha", "beta");
    const { code, stderr } = await run("--timeout", "25s");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /nothing more happens: beta: Error: Its Manifest would be called k{62}, as that of alpha/,
    );
    assert.deepEqual(await maps(), ["alpha"]);
    await named("beta");
    assert.equal((await run()).code, 0);
    assert.deepEqual(await maps(), ["beta"]);
  });

  it("ends with the reasons where a module cannot be had, and installs the others", async () => {
    await catalog(
      { module: "alpha", version: "1.0.0", layer: map("alpha") },
      { module: "beta", version: "1.0.0" },
    );
    await wants("alpha", "beta", "gamma");
    const { code, stdout, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stdout, /^alpha +regular +1\.0\.0 +Ready$/m);
    assert.match(
      stderr,
      /error: Not everything is ready, and nothing more happens: .*beta.*: Error: .*gamma.*: Warning: /,
    );
    assert.deepEqual(await maps(), ["alpha"]);
  });

  it("tells what is waited for, ends when its time is over, and goes on the next time", async () => {
    await catalog({ module: "slow", version: "1.0.0", layer: WORKLOAD });
    await wants("slow");
    const { code, stderr } = await run("--timeout", "12s");
    assert.equal(code, 1);
    assert.match(stderr, /^slow 1\.0\.0: Processing: .*slow/m);
    assert.match(stderr, /error: Not everything was ready in time \(--timeout\).* slow 1\.0\.0: Processing/);
    await catalog({ module: "slow", version: "1.0.1", layer: WORKLOAD.replace("hang", "ready") });
    const again = await run();
    assert.equal(again.code, 0, again.stderr);
  });

  it("ends whole when it is interrupted: the next run goes on from there", async (t: TestContext) => {
    await catalog({ module: "slow", version: "1.0.0", layer: `${map("alpha")}---\n${WORKLOAD}` });
    await wants("slow");
    const running = startReveille(t, words());
    await running.says("slow 1.0.0: Processing");
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    assert.equal(code, 130, stderr);
    assert.equal(stdout, "");
    assert.match(stderr, /Ending: what runs may finish/);
    const recorded = (await api.client.list(resourceOf(Manifest))).items.map(({ status }) =>
      ((status as { synced?: readonly { name: string }[] } | undefined)?.synced ?? []).map(
        ({ name }) => name,
      ),
    );
    const [synced = []] = recorded;
    // What stands is recorded, whenever it ended.
    for (const name of await maps()) assert.ok(synced.includes(name), name);
    await wants();
    const ended = await reveille(t, words());
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(await maps(), []);
    assert.deepEqual((await api.client.list(resourceOf(Deployment))).items, []);
  });
});
