import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { configuredComponents } from "../ports/components/adapters/index.ts";
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
      deployment("near").replace("{name: near}", "{name: near, namespace: near-system}"),
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
      /^1\.0\.0 fault: The artifact: its object 1 is none: it has no metadata\.name\.$/,
    );
    assert.equal(
      found[4],
      "1.0.0 fault: No ModuleReleaseMeta beside it names its component in spec.ocmComponentName.",
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
