import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { configuredReleases, memoryReleases } from "../../ports/releases/adapters/index.ts";
import type { Releases } from "../../ports/releases/index.ts";
import { dottedText } from "../names/index.ts";
import { assetsOf } from "./assets.ts";
import { faultText } from "./index.ts";
import {
  addonArchive,
  archiveNames,
  classArchive,
  metadataFile,
  packed,
  type ReleaseFiles,
  releaseFiles,
  releaseNamed,
} from "./test-release.ts";

const TAG = "docker-ferrol-1-27-v2";
const { cluster: CLASS, addon: ADDON } = archiveNames(TAG);

async function read(releases: Releases, tag: string) {
  const opening = await releases.open("default", tag);
  assert.equal(opening.state, "opened");
  return assetsOf(releaseNamed(tag), opening.release);
}
/** The faults of a release with these files in place of its own; `undefined` takes one away. */
async function faults(over: Readonly<Record<string, string | Uint8Array | undefined>>) {
  const memory = memoryReleases();
  const files = Object.entries({ ...(await releaseFiles(TAG)), ...over });
  memory.put(TAG, Object.fromEntries(files.filter(([, content]) => content !== undefined)) as ReleaseFiles);
  return (await read(memory, TAG)).faults?.map(faultText);
}

const needs = (...charts: readonly string[]): string =>
  `apiVersion: v2\nname: a\nversion: 0.1.0\ndependencies: [${charts.map((name) => `{name: ${name}, version: 1.0.0, repository: "https://charts.example.org"}`).join(", ")}]\n`;
const metadata = metadataFile(TAG);
const good = await classArchive(TAG);

test("a values template that can be rendered for no Cluster is a fault, at once and in stages", async () => {
  const [broken, unsettled] = ["a: {{ .Cluster", "a: {{ randAlphaNum 8 }}"];
  const at = async (text: string) => (await faults({ "cluster-addon-values.yaml": text }))?.[0] ?? "";
  assert.match(await at(broken), /^cluster-addon-values.yaml: /);
  assert.match(await at(unsettled), /would never settle/);
  const stages = "addonStages:\n  AfterControlPlaneInitialized:\n    - {name: used, action: apply}\n";
  const chart = (name: string) => ({
    [`${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`,
    [`${name}/overwrite.yaml`]: unsettled,
  });
  const staged = await faults({
    [ADDON]: await packed({ ...chart("used"), ...chart("unused") }),
    "clusteraddon.yaml": `apiVersion: clusteraddonconfig.x-k8s.io/v1alpha1\nclusterAddonVersion: clusteraddons.clusterstack.x-k8s.io/v1alpha1\n${stages}`,
  });
  assert.equal(staged?.length, 1);
  assert.match(staged?.[0] ?? "", /^used\/overwrite.yaml: /);
});

describe("a release whose assets are good", () => {
  test("has none", async () => assert.equal(await faults({}), undefined));
  test("may hold subcharts that only unpacking would tell, or none that are needed", async () => {
    assert.equal(
      await faults({ [ADDON]: await packed({ "a/Chart.yaml": needs("db"), "a/charts/some.tgz": "packed" }) }),
      undefined,
    );
    assert.equal(await faults({ [ADDON]: await packed({ "a/Chart.yaml": needs() }) }), undefined);
  });
  test("may lack node images, values and what is for people", async () => {
    assert.equal(await faults({ "cluster-addon-values.yaml": undefined }), undefined);
    assert.equal(await faults({ "metadata.yaml": `${metadata}    nodeImage: ""\n` }), undefined);
    assert.equal(await faults({ "metadata.yaml": `${metadata}    nodeImage: v7\nmore: x\n` }), undefined);
  });
});

describe("a fault of a release has a sentence of its own:", async () => {
  const meta = (from: string | RegExp, to: string) => ({ "metadata.yaml": metadata.replace(from, to) });
  for (const [name, over, sentence] of [
    ["no metadata", { "metadata.yaml": undefined }, "metadata.yaml: it is missing"],
    ["empty metadata", { "metadata.yaml": "---\n" }, "metadata.yaml: it is empty"],
    [
      "metadata of two documents",
      { "metadata.yaml": "a: 1\n---\nb: 1\n" },
      "metadata.yaml: it holds more than one document",
    ],
    [
      "metadata of another release",
      meta("clusterStack: v2", "clusterStack: v3"),
      "metadata.yaml: versions.clusterStack: it is v3, and the release's name says v2",
    ],
    [
      "metadata of another Kubernetes",
      meta("v1.27.3", "v1.28.3"),
      "metadata.yaml: versions.kubernetes: it is v1.28.3, and the release's name says 1.27",
    ],
    [
      "metadata without a patch version",
      meta("v1.27.3", "v1.27"),
      "metadata.yaml: versions.kubernetes: it is no version of Kubernetes: v1.30.2",
    ],
    [
      "metadata without addons",
      meta(/ {4}clusterAddon.*\n/, "    x: 1\n"),
      "metadata.yaml: versions.components.clusterAddon: it is missing",
    ],
    [
      "a version that is none",
      meta("clusterAddon: v2", "clusterAddon: v2-a"),
      "metadata.yaml: versions.components.clusterAddon: it is no version: v1, or v1-label.patch",
    ],
    ["no ClusterClass", { [CLASS]: undefined }, `${CLASS}: it is missing`],
    ["that of v20", { [CLASS]: undefined, [CLASS.replace("v2", "v20")]: good }, `${CLASS}: it is missing`],
    ["no addons", { [ADDON]: undefined }, `${ADDON}: it is missing`],
    [
      "a ClusterClass of another version",
      { [CLASS]: await classArchive(TAG, { version: "v1" }) },
      `${CLASS}: Chart.yaml: version: it is v1, and the release's v2`,
    ],
    [
      "an archive without a chart",
      { [CLASS]: await packed({ "a/b": "c" }) },
      `${CLASS}: it holds 0 charts, not one`,
    ],
    [
      "an archive with two charts",
      { [ADDON]: await addonArchive("a", "b") },
      `${ADDON}: it holds 2 charts, not one`,
    ],
    [
      "a subchart that is missing",
      { [ADDON]: await packed({ "a/Chart.yaml": needs("db") }) },
      `${ADDON}: a/Chart.yaml: dependencies: charts/ does not hold db: run \`helm dependency build\` in the chart's folder and pack the release with its subcharts, nothing is fetched here`,
    ],
    [
      "a subchart's subchart that is missing",
      {
        [ADDON]: await packed({
          "a/Chart.yaml": needs("db", "web"),
          "a/charts/web-2.0.1-rc.1.tgz": "packed",
          "a/charts/folder/Chart.yaml": needs("common", "db").replace("name: a", "name: db"),
          "a/charts/folder/charts/_db/Chart.yaml": needs(),
        }),
      },
      `${ADDON}: a/charts/folder/Chart.yaml: dependencies: charts/ does not hold common, db: run \`helm dependency build\` in the chart's folder and pack the release with its subcharts, nothing is fetched here`,
    ],
    [
      "a library in place of addons",
      {
        [ADDON]: await packed({ "a/Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\ntype: library\n" }),
      },
      `${ADDON}: Chart.yaml: type: it is library, a chart without objects: write application`,
    ],
    [
      "a stage that is a library",
      {
        [ADDON]: await packed({
          "cni/Chart.yaml": "apiVersion: v2\nname: cni\nversion: 1.0.0\ntype: library\n",
          "unused/Chart.yaml": "apiVersion: v2\nname: unused\nversion: 1.0.0\ntype: library\n",
        }),
        "clusteraddon.yaml": `apiVersion: clusteraddonconfig.x-k8s.io/v1alpha1
clusterAddonVersion: clusteraddons.clusterstack.x-k8s.io/v1alpha1
addonStages: {AfterControlPlaneInitialized: [{name: cni, action: apply}]}
`,
      },
      `${ADDON}: cni: Chart.yaml: type: it is library, a chart without objects: write application`,
    ],
    [
      "a path that leads out",
      { [CLASS]: await packed({ "../Chart.yaml": "version: v2" }) },
      `${CLASS}: the path "../Chart.yaml" leads out of it`,
    ],
  ] as const)
    test(name, async () => assert.deepEqual(await faults(over), [sentence]));
  test("a truncated archive", async () => {
    const [sentence] = (await faults({ [CLASS]: good.subarray(0, 200) })) ?? [];
    assert.match(sentence ?? "", new RegExp(`^${CLASS}: it cannot be unpacked`));
  });
  test("several at once", async () =>
    assert.deepEqual(await faults({ [CLASS]: undefined, [ADDON]: undefined }), [
      `${CLASS}: it is missing`,
      `${ADDON}: it is missing`,
    ]));
});

const config = (stages: string, more = ""): string => `apiVersion: clusteraddonconfig.x-k8s.io/v1alpha1
clusterAddonVersion: clusteraddons.clusterstack.x-k8s.io/v1alpha1
addonStages:
  BeforeClusterUpgrade:
${stages}${more}`;
const wait = (objects: string, conditions: string): string =>
  `  - {name: cni, action: apply, waitForPostCondition: {objects: [${objects}], conditions: '${conditions}'}}\n`;
const OBJECT = "apiVersion: apps/v1, kind: Deployment, name: web, namespace: apps";

describe("stages are read strictly:", async () => {
  const charts = await addonArchive("cni", "csi");
  const staged = (text: string) => faults({ [ADDON]: charts, "clusteraddon.yaml": text });
  const at = (stage: string, rest: string) => [
    `clusteraddon.yaml: stage ${stage} of BeforeClusterUpgrade: ${rest}`,
  ];
  test("good ones have no fault", async () => {
    const text = `  - {name: cni, action: apply}\n  - {name: csi, action: delete}\n`;
    assert.equal(await staged(config(text)), undefined);
    assert.equal(
      await staged(config(text, "  AfterControlPlaneInitialized: []\n  AfterClusterUpgrade:\n")),
      undefined,
    );
    assert.equal(await staged(config(wait(`{key: d, ${OBJECT}}`, "d.spec.replicas == 2"))), undefined);
  });
  test("null is left out, as is a condition without anything", async () => {
    const waits = "waitForPreCondition: null, waitForPostCondition: ~";
    const object = `{key: d, ${OBJECT.replace("namespace: apps", "namespace: null")}}`;
    for (const stage of [
      waits,
      "waitForPreCondition: {}, waitForPostCondition: {objects: null, conditions: null}",
      "waitForPreCondition: {objects: null, conditions: 'true'}, waitForPostCondition: {conditions: 'true'}",
      `waitForPreCondition: {objects: [${object}], conditions: 'has(d.spec)'}`,
    ])
      assert.equal(await staged(config(`  - {name: cni, action: apply, ${stage}}\n`)), undefined);
    assert.equal(await faults({ "metadata.yaml": `${metadataFile(TAG)}    nodeImage: null\n` }), undefined);
  });
  for (const [name, stages, fault] of [
    ["no action", "  - {name: cni}\n", at("cni", "action: it is missing")],
    [
      "an unknown action",
      "  - {name: cni, action: patch}\n",
      at("cni", 'action: it is "patch", not one of apply, delete'),
    ],
    ["an action of null", "  - {name: cni, action: null}\n", at("cni", "action: it is missing")],
    [
      "a condition without its text",
      "  - {name: cni, action: apply, waitForPreCondition: {objects: []}}\n",
      at("cni", "waitForPreCondition.conditions: it is missing"),
    ],
    ["no name", "  - {action: apply}\n", at("1", "name: it is missing")],
    [
      "no chart",
      "  - {name: none, action: apply}\n",
      at("none", "name: the archive of addons has no chart in a folder none"),
    ],
    [
      "an unknown field",
      "  - {name: cni, action: apply, wait: 1}\n",
      at("cni", "it has no such field: wait"),
    ],
    [
      "a stage twice",
      "  - {name: cni, action: apply}\n  - {name: cni, action: apply}\n",
      at("cni", "there is another stage that would apply it"),
    ],
    [
      "an unknown object in CEL",
      wait(`{key: d, ${OBJECT}}`, "e.spec.replicas == 2"),
      at("cni", "waitForPostCondition.conditions: Unknown variable: e"),
    ],
    [
      "CEL of another type",
      wait(`{key: d, ${OBJECT}}`, "1 + 1"),
      at("cni", "waitForPostCondition.conditions: it gives int, not true or false"),
    ],
    [
      "two objects of a name",
      wait(`{key: d, ${OBJECT}}, {key: d, ${OBJECT}}`, "d.a == 1"),
      at("cni", "waitForPostCondition.objects: two objects are called d"),
    ],
    [
      "a name that CEL does not know",
      wait(`{key: my-d, ${OBJECT}}`, "true"),
      at("cni", "waitForPostCondition.objects[0].key: CEL cannot call an object by this name"),
    ],
    [
      "an object without a kind",
      wait("{key: d, apiVersion: v1, name: web}", "true"),
      at("cni", "waitForPostCondition.objects[0].kind: it is missing"),
    ],
  ] as const)
    test(name, async () => assert.deepEqual(await staged(config(stages)), fault));
  test("CEL that does not compile", async () => {
    const [sentence] = (await staged(config(wait(`{key: d, ${OBJECT}}`, "d.spec.replicas ==")))) ?? [];
    assert.match(sentence ?? "", /stage cni of BeforeClusterUpgrade: waitForPostCondition\.conditions: .+/);
    assert.ok(!sentence?.includes("\n"));
  });
  test("an unknown moment", async () =>
    assert.deepEqual(await staged(config("  - {name: cni, action: apply}\n", "  BeforeLunch: []\n")), [
      "clusteraddon.yaml: addonStages: it has no such field: BeforeLunch",
    ]));
  test("another version of the file", async () =>
    assert.deepEqual(await staged(config("").replace("v1alpha1", "v1")), [
      'clusteraddon.yaml: apiVersion: it is "clusteraddonconfig.x-k8s.io/v1", not one of clusteraddonconfig.x-k8s.io/v1alpha1',
    ]));
});

const DATA = process.env.CONFORMANCE_DATA;
describe("upstream's releases", { skip: DATA === undefined }, () => {
  const folder = join(DATA ?? "", "cluster-stack/releases");
  for (const tag of DATA === undefined ? [] : readdirSync(folder))
    test(`${tag} is read`, async () => {
      const { value, faults: found } = await read(configuredReleases({ default: { folder } }), tag);
      assert.deepEqual(found?.map(faultText), undefined);
      assert.equal(dottedText(value?.metadata.stack ?? assert.fail()), dottedText(releaseNamed(tag).version));
      assert.equal(value?.addons.form, tag.includes("sha") ? "multi-stage" : "single-stage");
      assert.ok((value?.classChart.files.size ?? 0) > 5);
    });
});
