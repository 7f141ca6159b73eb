import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { packTar } from "../../../shared/archive/index.ts";
import { configuredComponents, memoryComponents } from "../ports/components/adapters/index.ts";
import { registrySettings } from "../ports/components/index.ts";
import { type TestLayout, testLayout } from "../ports/components/test-layout.ts";
import { catalogIn, lintCatalog, lintText } from "./lint.ts";

let layout: TestLayout;
beforeAll(async () => {
  layout = await testLayout();
});
afterAll(() => layout.stop());

const deployment = (name: string, app = name): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {selector: {matchLabels: {app: ${app}}}}\n`;
const release = (module: string, versions: readonly string[]): string =>
  `apiVersion: operator.kyma-project.io/v1beta2\nkind: ModuleReleaseMeta\nmetadata: {name: ${module}}\nspec: {moduleName: ${module}, ocmComponentName: example.org/mods/${module}, channels: [${versions.map((version, index) => `{channel: c${"abc"[index]}x, version: ${version}}`).join(", ")}]}\n`;
const template = (module: string, version: string, more = "", name = `${module}-${version}`): string =>
  `apiVersion: operator.kyma-project.io/v1beta2\nkind: ModuleTemplate\nmetadata: {name: ${name}}\nspec: {moduleName: ${module}, version: ${version}, descriptor: {}${more}}\n`;
const put = (module: string, version: string, layer: string) =>
  layout.put({ name: `example.org/mods/${module}`, version, layer });

/** The findings about files, as `version level: message`. */
async function findings(...documents: readonly string[]): Promise<readonly string[]> {
  const components = configuredComponents(registrySettings.parse({ folder: layout.folder }));
  const linted = await lintCatalog(catalogIn(documents.join("---\n"), "catalog.yaml"), components);
  return linted.flatMap(({ version, findings: all }) =>
    all.map(({ level, message }) => `${version} ${level}: ${message}`),
  );
}

describe("lint of modules", () => {
  it("finds nothing in what can be installed", async () => {
    await put("good", "1.0.0", deployment("good"));
    await put("good", "1.1.0", `${deployment("good")}---\n${deployment("second")}`);
    const catalog = [
      release("good", ["1.0.0", "1.1.0"]),
      template("good", "1.0.0"),
      template("good", "1.1.0"),
    ];
    assert.deepEqual(await findings(...catalog), []);
    const components = configuredComponents(registrySettings.parse({ folder: layout.folder }));
    const linted = await lintCatalog(catalogIn(catalog.join("---\n"), "catalog.yaml"), components);
    assert.equal(lintText(linted), "Nothing is wrong: 2 versions were judged.");
  });

  it("asks for a few versions at once, however many there are", async () => {
    const versions = Array.from({ length: 30 }, (_, minor) => `1.${minor}.0`);
    const memory = memoryComponents();
    for (const version of versions)
      await memory.put({ name: "example.org/mods/many", version, layer: deployment("many") });
    let [asked, most] = [0, 0];
    const counted = {
      ...memory,
      describe: async (...given: Parameters<typeof memory.describe>) => {
        asked += 1;
        most = Math.max(most, asked);
        const found = await memory.describe(...given);
        asked -= 1;
        return found;
      },
    };
    const catalog = [release("many", ["1.0.0"]), ...versions.map((version) => template("many", version))];
    const linted = await lintCatalog(catalogIn(catalog.join("---\n"), "catalog.yaml"), counted);
    assert.equal(lintText(linted), "Nothing is wrong: 30 versions were judged.");
    assert.equal(most, 8);
  });

  it("compares each version with the one below it, however many are between them in the file", async () => {
    const versions = ["1.10.0", "none", "1.2.0", "1.10.0-rc1", "1.0.0", "1.3.0"];
    const memory = memoryComponents();
    for (const [module, odd] of [
      ["ways", "1.2.0"],
      ["other", "1.10.0"],
    ] as const)
      for (const version of versions)
        await memory.put({
          ...{ name: `example.org/mods/${module}`, version },
          layer: deployment("one", version === odd ? "odd" : "even"),
        });
    const catalog = ["ways", "other"].flatMap((module) => [
      release(module, []),
      ...versions.map((version) => template(module, version)),
    ]);
    const linted = await lintCatalog(catalogIn(catalog.join("---\n"), "catalog.yaml"), memory);
    const told = linted.flatMap(({ module, version, findings: all }) =>
      all.flatMap(({ message }) => {
        const [, before] = /selector is not what (\S+) has/.exec(message) ?? [];
        return before === undefined ? [] : [`${module} ${version} after ${before}`];
      }),
    );
    assert.deepEqual(told, ["ways 1.2.0 after 1.0.0", "ways 1.3.0 after 1.2.0", "other 1.10.0 after 1.3.0"]);
    assert.deepEqual(
      linted.filter(({ version }) => version !== "").map(({ version }) => version),
      [...versions, ...versions],
    );
  });

  it("finds names, labels and images that could not be installed, and lets be what can", async () => {
    const map = (metadata: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\n`;
    const role = `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "acme:Reader_1"}\n`;
    await put(
      "odd",
      "1.0.0",
      [
        deployment("odd"),
        role,
        map("{name: My_Config}"),
        map("{name: ok, namespace: Bad NS}"),
        map("{name: good, labels: {a: b c}}"),
        map("{name: empty, labels: null}"),
      ].join("---\n"),
    );
    const told = await findings(release("odd", ["1.0.0"]), template("odd", "1.0.0"));
    assert.equal(told.length, 3, told.join("\n"));
    assert.match(told[0] ?? "", /ConfigMap My_Config: its name "My_Config" may have lower case/);
    assert.match(told[1] ?? "", /ConfigMap ok: its namespace "Bad NS" may have/);
    assert.match(told[2] ?? "", /ConfigMap good: its label a cannot be "b c"/);
    const quoted = await findings(
      release("odd", ["1.0.0"]),
      template("odd", "1.0.0", ", data: {apiVersion: v1, kind: X, metadata: {name: a/b}}").replace(
        "{name: odd-1.0.0}",
        "{name: odd-1.0.0, labels: {operator.kyma-project.io/beta: true}}",
      ),
    ).catch((thrown: unknown) => [String(thrown)]);
    assert.match(quoted.join("\n"), /labels?.*beta/);
  });

  it("finds the operator that lies in no namespace, or in an empty one", async () => {
    const spaced = deployment("spaced").replace("{name: spaced}", '{name: spaced, namespace: ""}');
    await put("spaced", "1.0.0", spaced);
    const manager = "{group: apps, version: v1, kind: Deployment, name: spaced, namespace: default}";
    assert.deepEqual(
      await findings(release("spaced", ["1.0.0"]), template("spaced", "1.0.0", `, manager: ${manager}`)),
      [],
    );
  });

  it("finds images of a component that nobody can tell apart", async () => {
    const memory = memoryComponents();
    await memory.put({
      ...{ name: "example.org/mods/alike", version: "1.0.0", layer: deployment("alike") },
      images: ["a.test/proxy:1.0", "b.test/proxy:1.0", "b.test/proxy:1.0"],
    });
    const linted = await lintCatalog(
      catalogIn([release("alike", ["1.0.0"]), template("alike", "1.0.0")].join("---\n"), "catalog.yaml"),
      memory,
    );
    assert.match(
      lintText(linted),
      /a\.test\/proxy:1\.0 and b\.test\/proxy:1\.0, which have one name and tag/,
    );
  });

  it("names what a layout does not hold: a component, or an artifact beside it", async () => {
    const access = { type: "relativeOciReference", reference: "mods/absent:1" };
    const resources = [{ name: "raw-manifest", access }];
    await layout.put({
      ...{ name: "example.org/mods/far", version: "1.0.0", layer: "" },
      descriptor: { resources },
    });
    const catalog = ["1.0.0", "2.0.0"].map((version) => template("far", version));
    assert.deepEqual(await findings(release("far", ["1.0.0"]), ...catalog), [
      `1.0.0 fault: component example.org/mods/far:1.0.0: the OCI layout in ${layout.folder} holds no mods/absent:1: copy it there`,
      `2.0.0 fault: component example.org/mods/far:2.0.0: the OCI layout in ${layout.folder} holds no example.org/mods/far:2.0.0: copy it there`,
    ]);
  });

  it("finds definitions that no server takes, and moves to the namespace that an object has", async () => {
    const definition =
      "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: odds.example.org}\n";
    await put("old", "1.0.0", deployment("old"));
    const moved = deployment("old", "new").replace("{name: old}", "{name: old, namespace: default}");
    await put("old", "1.1.0", `${moved}---\n${definition}`);
    assert.deepEqual(
      await findings(release("old", ["1.0.0"]), template("old", "1.0.0"), template("old", "1.1.0")),
      [
        "1.1.0 fault: CustomResourceDefinition odds.example.org is of apiextensions.k8s.io/v1beta1, which no cluster serves since Kubernetes 1.22: write it as v1.",
        "1.1.0 fault: Deployment old: spec.selector is not what 1.0.0 has, and cannot be changed: the upgrade would be refused.",
      ],
    );
  });

  it("finds keys that stand twice in an artifact, and refuses them in a catalog", async () => {
    const map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: keys}\ndata: {a: b, a: c}\n";
    await put("keys", "1.0.0", `${deployment("keys")}---\n${map}`);
    const catalog = [release("keys", ["1.0.0"]), template("keys", "1.0.0")];
    assert.deepEqual(await findings(...catalog), [
      "1.0.0 warning: The artifact's document 2: data.a stands there twice: the last one counts.",
    ]);
    assert.throws(
      () => catalogIn(template("keys", "1.0.0", ", version: 1.1.0"), "catalog.yaml"),
      /catalog\.yaml, document 1: spec\.version stands there twice: leave one of them out/,
    );
  });

  it("finds what stands there twice", async () => {
    await put("twice", "1.0.0", deployment("twice"));
    const once = [release("twice", ["1.0.0"]), template("twice", "1.0.0")];
    assert.deepEqual(await findings(...once, ...once), [
      " fault: The ModuleReleaseMeta twice stands there twice: leave one of them out.",
      " fault: The ModuleTemplate twice-1.0.0 stands there twice: leave one of them out.",
    ]);
  });

  it("names what an upgrade could never change, against the version below", async () => {
    await put("moved", "1.0.0", deployment("moved"));
    await put("moved", "1.2.0", deployment("moved", "other"));
    await put("moved", "1.10.0", deployment("moved", "other"));
    const catalog = ["1.0.0", "1.10.0", "1.2.0"].map((version) => template("moved", version));
    assert.deepEqual(await findings(release("moved", ["1.10.0"]), ...catalog), [
      "1.2.0 fault: Deployment moved: spec.selector is not what 1.0.0 has, and cannot be changed: the upgrade would be refused.",
    ]);
  });

  it("finds a manager that the artifact lacks, a foreign kind, and rights without bounds", async () => {
    await put(
      "odd",
      "1.0.0",
      [
        deployment("odd"),
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: all}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\n",
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: star}\nrules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]\n",
      ].join("---\n"),
    );
    const more =
      ", manager: {group: apps, version: v1, kind: Deployment, name: other, namespace: odd}, data: {apiVersion: odd.example.org/v1, kind: Odd, metadata: {name: default}}";
    assert.deepEqual(await findings(release("odd", ["1.0.0"]), template("odd", "1.0.0", more)), [
      "1.0.0 fault: spec.manager names the Deployment odd/other, which the artifact lacks: it would never be Ready.",
      "1.0.0 warning: spec.data is a Odd of odd.example.org/v1, a kind that the artifact does not define: it waits until somebody else does.",
      "1.0.0 warning: ClusterRoleBinding all makes its subjects cluster-admin.",
      "1.0.0 warning: ClusterRole star grants everything on everything.",
    ]);
  });

  it("finds a requirement that no version could ever do for", async () => {
    await put("needy", "1.0.0", deployment("needy"));
    const more = (range: string): string =>
      `, requires: [{module: good, range: "${range}"}, {capability: metrics}]`;
    const about = (range: string) =>
      findings(release("needy", ["1.0.0"]), template("needy", "1.0.0", more(range)));
    assert.deepEqual(await about(">=1.2.0 <2.0.0"), []);
    assert.deepEqual(await about("latest"), [
      '1.0.0 fault: spec.requires names the module good, of which no version would ever do: "latest" is no range of versions, as ">=1.2.0 <2.0.0" is one.',
    ]);
  });

  it("finds a manager that is named in another version, or without saying its namespace", async () => {
    await put(
      "near",
      "1.0.0",
      `${deployment("near").replace("{name: near}", "{name: near, namespace: near-system}")}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: near-system}\n`,
    );
    for (const version of ["v1", "v1beta1"]) {
      const more = `, manager: {group: apps, version: ${version}, kind: Deployment, name: near, namespace: ""}`;
      assert.deepEqual(await findings(release("near", ["1.0.0"]), template("near", "1.0.0", more)), []);
    }
  });

  it("finds names that nobody looks for, versions that are not there, and artifacts that cannot be read", async () => {
    await put("bare", "1.0.0", "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n");
    const found = await findings(
      release("bare", ["1.0.0", "2.0.0"]),
      template("bare", "1.0.0", "", "bare-one"),
      template("lone", "1.0.0"),
    );
    assert.deepEqual(found.slice(0, 3), [
      " warning: The channel cax is at 1.0.0, of which there is no ModuleTemplate here.",
      " warning: The channel cbx is at 2.0.0, of which there is no ModuleTemplate here.",
      "1.0.0 fault: The ModuleTemplate is called bare-one, and is looked for as bare-1.0.0.",
    ]);
    assert.match(
      found[3] ?? "",
      /^1\.0\.0 fault: The artifact: its object 1 \(ConfigMap\) is none: it has no metadata\.name\.$/,
    );
    assert.equal(
      found[4],
      "1.0.0 fault: No ModuleReleaseMeta beside it names its component in spec.ocmComponentName.",
    );
  });

  it("finds what the API server would refuse", async () => {
    await put("strict", "v1.0.0", deployment("strict"));
    await put("strict", "1.0.0-RC1", deployment("strict"));
    const wrong = release("strict", ["v1.0.0"]).replace("cax", "Fast");
    const twice = release("other", ["1.0.0", "1.0.1"]).replace("cbx", "cax");
    const both = release("both", []).replace("channels: []", "mandatory: {version: 1.0.0}, channels: []");
    const neither = release("neither", []).replace(", channels: []", "");
    const long = "a".repeat(65);
    const version = String.raw`^((0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[a-zA-Z-][0-9a-zA-Z-]*)?)?$`;
    assert.deepEqual(
      (
        await findings(
          ...[wrong, twice, both, neither, release(long, [])],
          ...[template("strict", "v1.0.0"), template("strict", "1.0.0-RC1")],
        )
      ).filter((line) => line.includes("fault")),
      [
        ` fault: spec.channels[0].channel: Invalid value: "Fast": spec.channels[0].channel in body should match '^[a-z]+$': the API server would refuse it.`,
        ` fault: spec.channels[0].version: Invalid value: "v1.0.0": spec.channels[0].version in body should match '${version}': the API server would refuse it.`,
        ' fault: spec.channels[1]: Duplicate value: {"channel":"cax"}: the API server would refuse it.',
        " fault: spec has to have either channels or mandatory: the API server would refuse it.",
        " fault: spec has to have either channels or mandatory: the API server would refuse it.",
        " fault: spec.moduleName: Too long: may not be more than 64 bytes: the API server would refuse it.",
        `v1.0.0 fault: spec.version: Invalid value: "v1.0.0": spec.version in body should match '${version}': the API server would refuse it.`,
        '1.0.0-RC1 fault: metadata.name "strict-1.0.0-RC1" may have lower case letters, digits, - and . alone: the API server would refuse it.',
      ],
    );
  });

  it("finds a name of a module that no label can hold", async () => {
    const about = async (length: number) =>
      (await findings(release("a".repeat(length), []))).filter((line) => line.includes("moduleName"));
    assert.deepEqual(await about(63), []);
    assert.deepEqual(await about(64), [
      " fault: spec.moduleName has 64 characters, and labels 63: it could not be installed.",
    ]);
  });

  it("finds templates of channels, and those without a version", async () => {
    const old =
      "apiVersion: operator.kyma-project.io/v1beta2\nkind: ModuleTemplate\nmetadata: {name: old-regular}\nspec: {channel: regular, descriptor: {component: {name: old}}}\n";
    assert.deepEqual(await findings(old, template("bare", '""', "", "bare-1.0.0")), [
      " fault: The ModuleTemplate old-regular has not both spec.moduleName and spec.version: nobody finds it. Write one of each version, and call it NAME-VERSION.",
      " fault: The ModuleTemplate bare-1.0.0 has not both spec.moduleName and spec.version: nobody finds it. Write one of each version, and call it NAME-VERSION.",
    ]);
  });

  it("finds a default object that could never be made", async () => {
    const definition =
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: odds.odd.example.org}\nspec: {group: odd.example.org, scope: Namespaced, names: {kind: Odd, plural: odds}, versions: [{name: v1, served: true}, {name: v2, served: false}]}\n";
    await put("made", "1.0.0", `${deployment("made")}---\n${definition}`);
    const about = (data: string) =>
      findings(release("made", ["1.0.0"]), template("made", "1.0.0", `, data: ${data}`));
    assert.deepEqual(await about("{apiVersion: odd.example.org/v1, kind: Odd}"), []);
    assert.deepEqual(await about("{apiVersion: odd.example.org/v2, kind: Odd}"), [
      "1.0.0 fault: spec.data is a Odd of odd.example.org/v2, of which the artifact serves v1: it would wait for ever.",
    ]);
    for (const [data, missing] of [
      ["{apiVersion: odd.example.org/v1}", "kind"],
      ["{kind: Odd}", "apiVersion"],
    ] as const)
      assert.deepEqual(await about(data), [
        `1.0.0 fault: spec.data.${missing}: Required value: the API server would refuse it.`,
      ]);
  });

  it("finds what of an artifact does not count, and a place that nobody makes", async () => {
    const map = (text: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {text: ${text}}\n`;
    const yaml = [deployment("part").replace("{name: part}", "{name: part, namespace: part-system}")];
    const tar = await packTar(
      new Map([
        ["readme.txt", Buffer.from("Read me.")],
        ["a.yaml", Buffer.from([...yaml, map("first"), map("first"), map("second")].join("---\n"))],
        ["b.yaml", Buffer.from(map("more"))],
      ]),
    );
    await layout.put({ name: "example.org/mods/part", version: "1.0.0", layer: tar, type: "oci-dir" });
    assert.deepEqual(await findings(release("part", ["1.0.0"]), template("part", "1.0.0")), [
      "1.0.0 warning: Its tar also holds b.yaml: one file counts, with all objects.",
      "1.0.0 warning: ConfigMap one is there twice, and otherwise the second time: the first counts.",
      "1.0.0 warning: Its operator lies in the namespace part-system, which it does not bring: it waits for that.",
    ]);
  });

  it("finds an artifact without objects, and that no version takes the place of one that has some", async () => {
    await put("hollow", "1.0.0", deployment("hollow"));
    await put("hollow", "1.1.0", "# nothing\n");
    const versions = [template("hollow", "1.0.0"), template("hollow", "1.1.0")];
    assert.deepEqual(await findings(release("hollow", ["1.1.0"]), ...versions), [
      "1.1.0 warning: Its artifact holds no object: nothing would be installed.",
      "1.1.0 fault: 1.0.0 has objects and it has none: it would not take its place.",
    ]);
    const handled = template("hollow", "1.1.0", ", trustedHandler: hollow");
    assert.deepEqual(await findings(release("hollow", ["1.1.0"]), template("hollow", "1.0.0"), handled), [
      "1.1.0 warning: It has no Deployment or StatefulSet: it counts as Ready as soon as it is applied.",
    ]);
  });

  it("judges the others where one component gives no answer, and refuses where none does", async () => {
    const memory = memoryComponents();
    for (const module of ["well", "sick"])
      await memory.put({
        name: `example.org/mods/${module}`,
        version: "1.0.0",
        layer: deployment(module),
      });
    const failed = { state: "failed", message: "the registry is away" } as const;
    const catalog = catalogIn(
      ["well", "sick"]
        .flatMap((module) => [release(module, ["1.0.0"]), template(module, "1.0.0")])
        .join("---\n"),
      "catalog.yaml",
    );
    const withSick = (isSick: (name: string) => boolean) =>
      lintCatalog(catalog, {
        ...memory,
        describe: async (name, version) => (isSick(name) ? failed : memory.describe(name, version)),
      });
    assert.deepEqual(await withSick((name) => name.endsWith("sick")), [
      { module: "well", version: "1.0.0", findings: [] },
      {
        module: "sick",
        version: "1.0.0",
        findings: [{ level: "fault", message: "the registry is away: it was not judged." }],
      },
    ]);
    await assert.rejects(
      withSick(() => true),
      /the registry is away: look at --folder/,
    );
  });

  it("refuses files that are none, with document and field", () => {
    assert.throws(() => catalogIn("a: [", "catalog.yaml"), /catalog\.yaml, document 1: /);
    assert.throws(
      () => catalogIn("kind: ModuleTemplate\n", "catalog.yaml"),
      /document 1: it has no apiVersion/,
    );
    assert.throws(() => catalogIn("", "catalog.yaml"), /catalog\.yaml holds no ModuleReleaseMeta/);
    assert.throws(
      () => catalogIn(template("bad", "1.0.0", ", mandatory: 5"), "catalog.yaml"),
      /document 1: .*spec\.mandatory/,
    );
  });
});
