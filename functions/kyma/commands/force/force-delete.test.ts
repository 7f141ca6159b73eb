import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, it } from "vitest";
import { reveilleHere } from "../../../../infra/testing/in-process.ts";
import { installKinds } from "../../../../infra/testing/install-crds.ts";
import { kubeconfigOf } from "../../../../infra/testing/kubeconfig.ts";
import { startTestApi, type TestApi } from "../../../../infra/testing/test-api.ts";
import { type Kind, resourceOf } from "../../../../shared/kube/kind.ts";
import { Namespace } from "../../../../shared/kube/kinds/index.ts";
import { Kyma, LABELS, Manifest } from "../../kinds/index.ts";

const BY = { fieldManager: "test", force: true } as const;
const THEIRS = [
  "declarative.kyma-project.io/finalizer",
  "label-removal-finalizer",
  "resource.kyma-project.io/finalizer",
];
const EVENTS = { group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" } as const;

let api: TestApi;
let folder: string;
let kubeconfig: string;
let namespace = "";
let namespaces = 0;

const force = (...words: readonly string[]) =>
  reveilleHere(["kyma", "force-delete", ...words, "-n", namespace, "--kubeconfig", kubeconfig]);
const wordIn = (text: string): string => /--confirm ([0-9a-f]{12})$/m.exec(text)?.[1] ?? assert.fail(text);

async function put(kind: Kind, name: string, finalizers: readonly string[], fields: object): Promise<void> {
  const { spec, status, labels } = fields as { spec?: object; status?: object; labels?: object };
  const body = {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { name, namespace, finalizers: [...finalizers], ...(labels && { labels }) },
    spec,
  };
  await api.client.apply(resourceOf(kind), { name, namespace }, body as never, BY);
  if (status !== undefined)
    await api.client.patch(
      resourceOf(kind),
      { name, namespace },
      "merge",
      { status },
      { fieldManager: "test", subresource: "status" },
    );
}
const kyma = (modules: readonly string[] = []): Promise<void> =>
  put(Kyma, "rt-1", ["operator.kyma-project.io/Kyma"], {
    spec: { channel: "regular", modules: modules.map((name) => ({ name })) },
    status: {
      state: "Deleting",
      lastOperation: { operation: "It waits for its runtime.", lastUpdateTime: "2026-01-15T10:00:00Z" },
    },
  });
const manifest = (module: string, finalizers: readonly string[] = THEIRS): Promise<void> =>
  put(Manifest, `rt-1-${module}`, finalizers, {
    labels: { [LABELS.kymaName]: "rt-1", [LABELS.moduleName]: module },
    spec: {
      remote: true,
      version: "1.0.0",
      install: { name: "raw-manifest", source: { ref: "sha256:1" } },
      resource: {
        apiVersion: "store.acme.test/v1",
        kind: "AlphaStore",
        metadata: { name: "default", namespace: "kyma-system" },
      },
    },
    status: {
      state: "Deleting",
      lastOperation: { operation: "waits for 2 objects", lastUpdateTime: "2026-01-15T10:00:00Z" },
      synced: [
        { group: "apps", version: "v1", kind: "Deployment", name: module, namespace: "alpha-system" },
        { group: "", version: "v1", kind: "Namespace", name: "alpha-system", namespace: "" },
      ],
    },
  });
const remove = (kind: Kind, name: string): Promise<unknown> =>
  api.client.delete(resourceOf(kind), { name, namespace }, { uid: undefined });
const finalizersOf = async (kind: Kind, name: string) =>
  (await api.client.get(resourceOf(kind), { name, namespace }))?.metadata.finalizers;
const events = async (): Promise<readonly string[]> =>
  (await api.client.list(EVENTS, { namespace })).items.map((event) =>
    String((event as { message?: unknown }).message),
  );

beforeAll(async () => {
  api = await startTestApi({ api: "local", controllers: false });
  await installKinds(api.client, [Kyma, Manifest]);
  folder = await mkdtemp(join(tmpdir(), "kyma-force-"));
  kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, await kubeconfigOf(api.connection));
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  namespaces += 1;
  namespace = `plane-${namespaces}`;
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  await api.client.apply(resourceOf(Namespace), { name: namespace }, body, BY);
});

it("names all that stays behind of a module, changes nothing, and does it with the word", async () => {
  await kyma(["alpha"]);
  await manifest("alpha");
  await manifest("beta");
  await remove(Manifest, "rt-1-alpha");
  const first = await force("rt-1", "alpha");
  assert.equal(first.code, 0, first.stderr);
  for (const line of [
    /^alpha \(Manifest rt-1-alpha\): waits for 2 objects$/m,
    /^ {2}finalizers that are taken off: declarative\S+, label-removal-finalizer, resource\S+$/m,
    /^ {4}Deployment alpha-system\/alpha$/m,
    /^ {4}Namespace alpha-system$/m,
    /^ {4}AlphaStore kyma-system\/default and all other objects of its kind$/m,
    /The Kyma lists it: it is installed anew/,
    /^Nothing was changed\. To do it, type:\n {2}reveille kyma force-delete rt-1 alpha -n plane-\d+ --kubeconfig \S+ --confirm [0-9a-f]{12}$/m,
  ])
    assert.match(first.stdout, line);
  assert.doesNotMatch(first.stdout, /beta/);
  const again = await force("rt-1", "alpha", "alpha", "--reason", "it's lost");
  assert.ok(again.stdout.includes(`--kubeconfig ${kubeconfig} --reason 'it'\\''s lost' --confirm `));
  assert.equal(wordIn(again.stdout), wordIn(first.stdout), "a module that is named twice is one");
  assert.deepEqual(await finalizersOf(Manifest, "rt-1-alpha"), THEIRS);
  assert.deepEqual(await events(), []);
  const second = await force(
    "rt-1",
    "alpha",
    "--confirm",
    wordIn(first.stdout),
    "--reason",
    "cluster was lost",
  );
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stdout, /^Manifest plane-\d+\/rt-1-alpha is gone\.$/m);
  assert.equal(await finalizersOf(Manifest, "rt-1-alpha"), undefined);
  assert.deepEqual(await finalizersOf(Manifest, "rt-1-beta"), THEIRS);
  assert.match(
    (await events()).join("\n"),
    /rt-1-alpha is taken away by force \(cluster was lost\)\. 3 objects .*Deployment alpha-system\/alpha/,
  );
});

it("takes a whole Kyma away, its modules first, whether they were asked to go or not", async () => {
  await kyma();
  await manifest("alpha");
  await remove(Kyma, "rt-1");
  const first = await force("rt-1");
  assert.match(first.stdout, /^Kyma rt-1: It waits for its runtime\.$/m);
  assert.match(first.stdout, /^ {4}Kyma kyma-system\/default$/m);
  const json = await force("rt-1", "-o", "json");
  assert.equal(JSON.parse(json.stdout).token, wordIn(first.stdout));
  const second = await force("rt-1", "--confirm", wordIn(first.stdout));
  assert.equal(second.code, 0, second.stderr);
  assert.deepEqual(
    [await finalizersOf(Manifest, "rt-1-alpha"), await finalizersOf(Kyma, "rt-1")],
    [undefined, undefined],
  );
  assert.equal((await events()).length, 2);
});

it("refuses a word for something else, and what nobody has tried to delete", async () => {
  await kyma(["alpha"]);
  await manifest("alpha");
  const kept = await force("rt-1", "alpha");
  assert.equal(kept.code, 1);
  assert.match(
    kept.stderr,
    /module alpha .* is not being deleted: .*`reveille kyma module disable alpha --kyma rt-1 -n /,
  );
  const whole = await force("rt-1");
  assert.match(whole.stderr, /The Kyma .*\/rt-1 is not being deleted: .*`kubectl delete kyma rt-1 -n /);
  await remove(Manifest, "rt-1-alpha");
  const { stdout } = await force("rt-1", "alpha");
  const status = {
    synced: [{ group: "", version: "v1", kind: "ConfigMap", name: "more", namespace: "default" }],
  };
  await api.client.patch(
    resourceOf(Manifest),
    { name: "rt-1-alpha", namespace },
    "merge",
    { status },
    { fieldManager: "test", subresource: "status" },
  );
  const changed = await force("rt-1", "alpha", "--confirm", wordIn(stdout));
  assert.equal(changed.code, 1);
  assert.match(changed.stderr, /it has changed\. Type the command without --confirm/);
  assert.deepEqual(await finalizersOf(Manifest, "rt-1-alpha"), THEIRS);
  assert.deepEqual(await events(), []);
  for (const [words, says] of [
    [["rt-1", "gamma"], /Nothing is installed for the module gamma/],
    [["rt-9"], /There is no Kyma plane-\d+\/rt-9, and no Manifest of one/],
  ] as const) {
    const { code, stderr } = await force(...words);
    assert.equal(code, 1);
    assert.match(stderr, says);
  }
});

it("leaves finalizers of others alone, and says that they hold it", async () => {
  await kyma();
  await manifest("alpha", [...THEIRS, "others.example.org/kept"]);
  await remove(Manifest, "rt-1-alpha");
  const { stdout } = await force("rt-1", "alpha");
  assert.match(
    stdout,
    /finalizers of others, which hold it until they are taken off: others\.example\.org\/kept/,
  );
  const second = await force("rt-1", "alpha", "--confirm", wordIn(stdout));
  assert.equal(second.code, 1);
  assert.match(second.stdout, /is held by finalizers of others: others\.example\.org\/kept/);
  assert.match(second.stderr, /whoever set the finalizers that are named/);
  assert.deepEqual(await finalizersOf(Manifest, "rt-1-alpha"), ["others.example.org/kept"]);
});
