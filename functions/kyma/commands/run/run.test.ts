import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { reveilleHere } from "../../../../infra/testing/in-process.ts";
import { installKinds } from "../../../../infra/testing/install-crds.ts";
import { kubeconfigOf } from "../../../../infra/testing/kubeconfig.ts";
import { startTestApi, type TestApi } from "../../../../infra/testing/test-api.ts";
import { type Kind, resourceOf } from "../../../../shared/kube/kind.ts";
import { CustomResourceDefinition, Namespace } from "../../../../shared/kube/kinds/index.ts";
import { Kyma, LABELS } from "../../kinds/index.ts";

const BY = { fieldManager: "test", force: true } as const;
const SAMPLES = join(import.meta.dirname, "../../samples");
const RELEASE = `apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleReleaseMeta
metadata: {name: greeter}
spec: {moduleName: greeter, ocmComponentName: example.org/modules/greeter, channels: [{channel: regular, version: 1.0.0}]}
`;

let api: TestApi;
let folder: string;
let kubeconfig: string;

/** Writes files below a folder of that name; gives back its path. */
async function files(name: string, texts: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(texts)) {
    const file = join(folder, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return join(folder, name);
}
const run = (catalog: string, file: string, ...words: readonly string[]) =>
  reveilleHere(["kyma", "run", "--kubeconfig", kubeconfig, "--catalog", catalog, "-f", file, ...words]);
const SAMPLE_KYMA = join(SAMPLES, "02-kyma.yaml");

async function put(kind: Kind, name: string, namespace: string | undefined, fields: object): Promise<void> {
  const { group, version, kind: named } = kind;
  const place = { name, ...(namespace !== undefined && { namespace }) };
  await api.client.apply(
    resourceOf(kind),
    place,
    { apiVersion: group === "" ? version : `${group}/${version}`, kind: named, metadata: place, ...fields },
    BY,
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kyma-run-"));
  api = await startTestApi({ api: "local", controllers: false });
  kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, await kubeconfigOf(api.connection));
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("a catalog that cannot be read", () => {
  for (const [name, texts, says] of [
    ["empty", { "notes.txt": "" }, /empty holds no ModuleReleaseMeta in a \.yaml file/],
    ["broken", { "sub/one.yml": `${RELEASE}---\nspec: [` }, /sub\/one\.yml, document 2: /],
    ["none", { "one.yaml": "metadata: {name: x}\n" }, /one\.yaml, document 1: it has no apiVersion, no kind/],
    [
      "old",
      { "one.yaml": RELEASE.replace("v1beta2", "v1beta1") },
      /one\.yaml, document 1: it is a ModuleReleaseMeta of operator\.kyma-project\.io\/v1beta1; write .*\/v1beta2/,
    ],
    [
      "twice",
      { "one.yaml": RELEASE, "two.yaml": RELEASE },
      /one\.yaml, document 1 and .*two\.yaml, document 1 both/,
    ],
    [
      "odd",
      { "one.yaml": RELEASE.replace("[{channel", "{one: {channel").replace("1.0.0}]", "1.0.0}}") },
      /one\.yaml, document 1: /,
    ],
    [
      "refused",
      { "one.yaml": RELEASE, "two.yaml": RELEASE.replaceAll("greeter", "other").replace("regular", "Fast") },
      /two\.yaml, document 1: ModuleReleaseMeta other: spec\.channels\[0\]\.channel: Invalid value: "Fast"/,
    ],
    ["layouts", { "a/oci-layout": "{}", "b/oci-layout": "{}" }, /holds 2 OCI layouts \(.*a, .*b\)/],
    [
      "components",
      { "one.yaml": RELEASE },
      /components holds no OCI layout .*kyma\.registry\.oci.* --config/,
    ],
  ] as const)
    it(`says so: ${name}`, async () => {
      const { code, stdout, stderr } = await run(await files(name, texts), SAMPLE_KYMA);
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(stderr, says);
    });

  it("names a folder that is not there", async () => {
    const { code, stderr } = await run("/nowhere/at-all", SAMPLE_KYMA);
    assert.equal(code, 1);
    assert.match(stderr, /\/nowhere\/at-all cannot be read: .*Name a folder that can/);
  });
});

describe("a file that holds no Kyma", () => {
  const KYMA = "apiVersion: operator.kyma-project.io/v1beta2\nkind: Kyma\nmetadata: {name: one}\n";
  for (const [name, text, says] of [
    ["empty", "", /empty\.yaml holds no Kyma/],
    ["broken", "kind: {", /broken\.yaml, document 1: /],
    ["another kind", RELEASE, /another kind\.yaml, document 1: it is a ModuleReleaseMeta of .*, no Kyma of/],
    ["two", `${KYMA}spec: {channel: fast}\n---\n${KYMA}`, /two\.yaml, document 2: it is a second Kyma/],
    ["odd", `${KYMA}spec: {channel: 7}\n`, /odd\.yaml, document 1: /],
    [
      "refused",
      `${KYMA}spec: {channel: Fast}\n`,
      /document 1: Kyma one: spec\.channel: Invalid value: "Fast"/,
    ],
    ["misspelt", `${KYMA}spec: {channel: fast, modulez: []}\n`, /Kyma one: spec\.modulez: unknown field/],
  ] as const)
    it(`says so: ${name}`, async () => {
      const kymas = await files("kymas", { [`${name}.yaml`]: text });
      const { code, stderr } = await run(SAMPLES, join(kymas, `${name}.yaml`));
      assert.equal(code, 1);
      assert.match(stderr, says);
    });
});

describe("a cluster that it must not touch", () => {
  const definitions = async (): Promise<readonly string[]> =>
    (await api.client.list(resourceOf(CustomResourceDefinition))).items.map(({ metadata }) => metadata.name);

  it("says that it cannot be reached, and where it was looked for", async () => {
    const gone = join(folder, "gone");
    const text = await kubeconfigOf({ ...api.connection, server: "https://127.0.0.1:9" });
    await writeFile(gone, text);
    const ended = await reveilleHere([
      ...["kyma", "run", "--kubeconfig", gone, "--catalog", SAMPLES, "-f", SAMPLE_KYMA],
    ]);
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /error: .*127\.0\.0\.1:9/);
  });

  it("leaves it alone while another Reveille looks after it", async () => {
    const LEASE = {
      ...{ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" },
      scope: "Namespaced",
    } as const;
    await put(Namespace, "reveille-system", undefined, {});
    const place = { name: "reveille-watcher", namespace: "reveille-system" };
    const spec = {
      holderIdentity: "reveille-0",
      leaseDurationSeconds: 15,
      renewTime: new Date().toISOString().replace("Z", "000Z"),
    };
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: place, spec };
    await api.client.apply(LEASE, place, lease, BY);
    const { code, stderr } = await run(SAMPLES, SAMPLE_KYMA);
    await api.client.delete(LEASE, place, { uid: undefined });
    assert.equal(code, 1);
    assert.match(stderr, /Another Reveille looks after this cluster \(reveille-0, seen at .*stop it first/);
    assert.deepEqual(await definitions(), []);
  });

  it("leaves it alone where other Kymas stand, and where a control plane looks after one", async () => {
    await installKinds(api.client, [Kyma]);
    await put(Namespace, "kcp-system", undefined, {});
    await put(Kyma, "other", "kcp-system", { spec: { channel: "regular" } });
    const other = await run(SAMPLES, SAMPLE_KYMA);
    assert.equal(other.code, 1);
    assert.match(
      other.stderr,
      /holds the Kyma kcp-system\/other, whose modules would be installed here as well/,
    );
    await api.client.delete(resourceOf(Kyma), { name: "other", namespace: "kcp-system" }, { uid: undefined });
    const place = { name: "garden", namespace: "kcp-system" };
    await put(Kyma, "garden", "kcp-system", {
      metadata: { ...place, labels: { [LABELS.watchedBy]: "kyma" } },
      spec: { channel: "regular" },
    });
    const runtime = await run(SAMPLES, SAMPLE_KYMA);
    await api.client.delete(resourceOf(Kyma), place, { uid: undefined });
    assert.equal(runtime.code, 1);
    assert.match(
      runtime.stderr,
      /This cluster is a runtime: a control plane looks after its Kyma kcp-system\/garden/,
    );
    assert.deepEqual(await definitions(), ["kymas.operator.kyma-project.io"]);
  });
});
