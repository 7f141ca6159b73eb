import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readPackage } from "../files.ts";
import { type ParameterCheck, type Verification, verifyPackage } from "./index.ts";

interface Parts {
  readonly head?: string;
  readonly tasks?: string;
  readonly plans?: string;
  readonly params?: string;
  readonly templates?: Readonly<Record<string, string>>;
}
const HEAD = "name: demo\noperatorVersion: 0.1.0\nkubernetesVersion: 1.15";
const TASKS = "[{name: app, kind: Apply, spec: {resources: [app.yaml]}}]";
const PLANS = "{deploy: {phases: [{name: a, steps: [{name: b, tasks: [app]}]}]}}";
const APP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

/** The verdict on a package that is valid but for what is changed. */
function verify(
  { head = HEAD, tasks = TASKS, plans = PLANS, params = "[]", templates = { "app.yaml": APP } }: Parts,
  checks: readonly ParameterCheck[] = [],
): Verification {
  const texts = {
    "operator.yaml": `${head}\ntasks: ${tasks}\nplans: ${plans}`,
    "params.yaml": `parameters: ${params}`,
    ...Object.fromEntries(Object.entries(templates).map(([name, text]) => [`templates/${name}`, text])),
  };
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
  return verifyPackage(readPackage(files), { checks: new Set(checks) });
}
const errors = (parts: Parts): readonly string[] => verify(parts).errors;
const warnings = (parts: Parts, checks?: readonly ParameterCheck[]): readonly string[] =>
  verify(parts, checks).warnings;
/** A Pod that can hand over files below /tmp. */
const SPEC =
  "volumes: [{name: v, emptyDir: {}}], initContainers: [{name: i, volumeMounts: [{name: v, mountPath: /tmp}]}]";
const POD = `apiVersion: v1\nkind: Pod\nspec: {${SPEC}}\n`;
/** A template that uses the parameters, so that none is for nothing. */
const using = (...names: readonly string[]): Parts["templates"] => ({
  "app.yaml": `${APP}${names.map((name) => `# {{ .Params.${name} }}\n`).join("")}`,
});

it("a package in order has neither errors nor warnings", () =>
  assert.deepEqual(verify({}), { errors: [], warnings: [] }));

it("templates are rendered with the versions that the package has, and lists that are empty", () => {
  const text = `${APP}data: { v: '{{ (semver .OperatorVersion).Minor }} {{ len .Params.NONE }}' }\n`;
  const params = "[{name: NONE, type: array, default: []}]";
  assert.deepEqual(verify({ params, templates: { "app.yaml": text } }), { errors: [], warnings: [] });
});

describe("an error of the parameters", () => {
  it.each<[says: string, params: string, names?: readonly string[]]>([
    ['parameter "a" has a duplicate', "[{name: A}, {name: a}]", ["A", "a"]],
    [`parameter "a,b" contains invalid character ','`, '[{name: "a,b", trigger: deploy}]'],
    [`parameter "a;b" contains invalid character ';'`, '[{name: "a;b", trigger: deploy}]'],
    [
      'parameter "A" is immutable but is not marked as required or has a default value',
      "[{name: A, immutable: true, required: false}]",
      ["A"],
    ],
    ['parameter "A" is an enum but has no allowed values', "[{name: A, enum: []}]", ["A"]],
    [
      'parameter "A" has an invalid enum value: type is "integer" but format of "x" is invalid: strconv.ParseInt: parsing "x": invalid syntax',
      "[{name: A, type: integer, enum: [1, x]}]",
      ["A"],
    ],
    [
      'parameter "A" has an invalid default value: type is "boolean" but format of "maybe" is invalid: strconv.ParseBool: parsing "maybe": invalid syntax',
      "[{name: A, type: boolean, default: maybe}]",
      ["A"],
    ],
    [
      'parameter "A" has an invalid default value: type is "array" but value 3 is not an array',
      "[{name: A, type: array, default: 3}]",
      ["A"],
    ],
    [
      'parameter "A" has an invalid default value: type is "map" but value - 3 is not a map',
      "[{name: A, type: map, default: [3]}]",
      ["A"],
    ],
    [
      'parameter "A" has an invalid default value: type is "string" but format is invalid: 3',
      "[{name: A, type: string, default: 3}]",
      ["A"],
    ],
    [
      'parameter "A" has an invalid default value: value is "c", but only allowed values are [a b]',
      "[{name: A, enum: [a, b], default: c}]",
      ["A"],
    ],
    [
      'parameter "A" has an unknown type "int": choose one of string, integer, number, boolean, array, map',
      "[{name: A, type: int}]",
      ["A"],
    ],
    [
      'parameter "A" is marked as advanced, but also as required and has no default. An advanced parameter must either be optional or have a default value',
      "[{name: A, advanced: true}]",
      ["A"],
    ],
    [
      'parameter "A" has a group "g" that is not defined in the group section',
      "[{name: A, group: g}]",
      ["A"],
    ],
    ['plan "scale" used in parameter "A" is not defined', "[{name: A, trigger: scale}]"],
  ])("%s", (says, params, names = []) =>
    assert.deepEqual(errors({ params, templates: using(...names) ?? {} }), [says]),
  );

  it("of groups: with a slash, twice", () => {
    const found = errors({
      params: "[{name: A, group: g/h}]\ngroups: [{name: g/h}, {name: g/h}]",
      templates: using("A") ?? {},
    });
    assert.deepEqual(found, [
      `parameter "A" has a group with invalid character '/'`,
      `parameter group "g/h" contains invalid character '/'`,
      `parameter group "g/h" contains invalid character '/'`,
      `parameter group "g/h" is duplicated`,
    ]);
  });
});

describe("an error of operator.yaml", () => {
  it.each<[says: string, parts: Parts]>([
    ['"operatorVersion" is required and must be semver', { head: "name: a\nkubernetesVersion: 1.15" }],
    ['"kubernetesVersion" is required and must be semver', { head: "name: a\noperatorVersion: 1" }],
    ['unable to parse "appVersion": Invalid Semantic Version', { head: `${HEAD}\nappVersion: latest` }],
    ['unable to parse "kudoVersion": Invalid Semantic Version', { head: `${HEAD}\nkudoVersion: 1.2.3.4` }],
    [
      'task "other" in plan "deploy" is not defined',
      { plans: "{deploy: {phases: [{steps: [{tasks: [app, other]}]}]}}" },
    ],
    [
      "an operator is required to have 'deploy' plan",
      { plans: "{update: {phases: [{steps: [{tasks: [app]}]}]}}" },
    ],
    [
      'plan "deploy" has an unknown strategy "serail": choose serial or parallel',
      { plans: "{deploy: {strategy: serail, phases: [{steps: [{tasks: [app]}]}]}}" },
    ],
    [
      'phase "a" in plan "deploy" has an unknown strategy "x": choose serial or parallel',
      { plans: "{deploy: {phases: [{name: a, strategy: x, steps: [{tasks: [app]}]}]}}" },
    ],
    ["unknown task kind Wait", { tasks: "[{name: app, kind: Wait}]", templates: {} }],
    [
      "task validation error: apply task 'app' has an empty resource list. if that's what you need, use a Dummy task instead",
      { tasks: "[{name: app, kind: Apply}]", templates: {} },
    ],
    [
      "task validation error: delete task 'app' has an empty resource list. if that's what you need, use a Dummy task instead",
      { tasks: "[{name: app, kind: Delete, spec: {resources: }}]", templates: {} },
    ],
    [
      "task validation error: toggle task has an empty resource list. if that's what you need, use a Dummy task instead",
      { tasks: "[{name: app, kind: Toggle}]", templates: {} },
    ],
    [
      "task validation error: Missing parameter to evaluate the Toggle Task",
      { tasks: "[{name: app, kind: Toggle, spec: {resources: [app.yaml]}}]" },
    ],
    [
      'parameter "ON" in ToggleTask app is not defined',
      { tasks: "[{name: app, kind: Toggle, spec: {resources: [app.yaml], parameter: ON}}]" },
    ],
    [
      "task validation error: pipe task has an empty pipe files list",
      { tasks: "[{name: app, kind: Pipe, spec: {pod: app.yaml}}]" },
    ],
    [
      "task validation error: pipe file {/a /b Secret k} must have either 'file' or 'envFile' field set but not both",
      pipe("{file: /a, envFile: /b, kind: Secret, key: k}"),
    ],
    [
      "task validation error: invalid pipe kind (must be Secret or ConfigMap): {/a  Pod k}",
      pipe("{file: /a, kind: Pod, key: k}"),
    ],
    [
      "task validation error: invalid pipe key (only letters, numbers and _ and - are allowed): {/a  Secret a.b}",
      pipe("{file: /a, kind: Secret, key: a.b}"),
    ],
    [
      "duplicated pipe key k",
      {
        ...pipe("{file: /tmp/a, kind: Secret, key: k}, {file: /tmp/b, kind: Secret, key: k}"),
        templates: { "app.yaml": POD },
      },
    ],
    [
      "task validation error: kudo operator task 'app' has an empty package name",
      { tasks: "[{name: app, kind: KudoOperator}]", templates: {} },
    ],
  ])("%s", (says, parts) => assert.deepEqual(errors(parts), [says]));
});

function pipe(files: string): Parts {
  return { tasks: `[{name: app, kind: Pipe, spec: {pod: app.yaml, pipe: [${files}]}}]` };
}

describe("an error of the templates", () => {
  it.each<[says: RegExp, parts: Parts]>([
    [/^template "app\.yaml" required by app but is not defined$/, { templates: {} }],
    [/^parameter "B" in template app\.yaml is not defined$/, { templates: using("B") ?? {} }],
    [
      /^template app\.yaml defines an invalid implicit parameter "TaskName"$/,
      { templates: { "app.yaml": `${APP}# {{ .TaskName }}` } },
    ],
    [
      /^template file "app\.yaml" reports the following error: .*nonesuch/,
      { templates: { "app.yaml": "{{ nonesuch 1 }}" } },
    ],
    [/^template file "app\.yaml" reports the following error: /, { templates: { "app.yaml": "{{ if }}" } }],
    [/^error rendering template: .*app\.yaml/, { templates: { "app.yaml": `${APP}# {{ .Pipes.key }}` } }],
    [/^error rendering template: .*app\.yaml/, { templates: { "app.yaml": "{{ fail `no` }}" } }],
    [/^parsing rendered YAML from app\.yaml failed: document 1: /, { templates: { "app.yaml": "a: [" } }],
    [
      /^parsing rendered YAML from app\.yaml failed: document 2: it has no kind$/,
      { templates: { "app.yaml": `${APP}---\napiVersion: v1\nmetadata: {name: a}` } },
    ],
    [
      /^template "app\.yaml" contains 'kind: Namespace' not allowed unless specified as 'NamespaceManifest'$/,
      { templates: { "app.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}" } },
    ],
    [
      /^NamespaceManifest "ns\.yaml" not found in \/templates folder$/,
      { head: `${HEAD}\nnamespaceManifest: ns.yaml` },
    ],
    [
      /^NamespaceManifest "ns\.yaml" found but manifest is not kind: Namespace$/,
      { head: `${HEAD}\nnamespaceManifest: ns.yaml`, templates: { "app.yaml": APP, "ns.yaml": APP } },
    ],
    [
      /^NamespaceManifest "ns\.yaml" found but contains 2 manifests which is greater than 1$/,
      {
        head: `${HEAD}\nnamespaceManifest: ns.yaml`,
        templates: { "app.yaml": APP, "ns.yaml": `${APP}---\n${APP}` },
      },
    ],
    [
      /^NamespaceManifest "ns\.yaml" found but does not contain a manifest$/,
      { head: `${HEAD}\nnamespaceManifest: ns.yaml`, templates: { "app.yaml": APP, "ns.yaml": "# none" } },
    ],
  ])("%s", (says, parts) => {
    const found = errors(parts);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", says);
  });

  it("is none where a file holds a child's parameters", () =>
    assert.deepEqual(
      errors({
        tasks: "[{name: app, kind: KudoOperator, spec: {package: ../child, parameterFile: app.yaml}}]",
        templates: { "app.yaml": "A: {{ .Name }}" },
      }),
      [],
    ));

  it("is none where a pipe's key is used, or a list that is a parameter", () =>
    assert.deepEqual(
      errors({
        ...pipe("{file: /tmp/a, kind: Secret, key: k}"),
        params: "[{name: L, type: array, default: [1, 2]}]",
        templates: { "app.yaml": `${POD}# {{ .Pipes.k }}{{ range .Params.L }}{{ . }}{{ end }}` },
      }),
      [],
    ));
});

describe("an error of a Pipe task", () => {
  it.each<[says: RegExp, parts: Parts]>([
    [/holds no Pod, but a ConfigMap$/, { templates: { "app.yaml": APP } }],
    [/holds 2 objects: a Pipe task needs one Pod$/, { templates: { "app.yaml": `${POD}---\n${POD}` } }],
    [
      /it has containers/,
      { templates: { "app.yaml": POD.replace("{vol", "{containers: [{name: c}], vol") } },
    ],
    [
      /has 2 init containers/,
      { templates: { "app.yaml": POD.replace("[{name: i", "[{name: h}, {name: i") } },
    ],
    [/has 0 emptyDir volumes/, { templates: { "app.yaml": POD.replace("emptyDir", "secret") } }],
    [
      /mounts its emptyDir 0 times/,
      { templates: { "app.yaml": POD.replace("[{name: v, m", "[{name: w, m") } },
    ],
    [
      /restartPolicy is Always/,
      { templates: { "app.yaml": POD.replace("{vol", "{restartPolicy: Always, vol") } },
    ],
    [/must lie below the mount path \/srv$/, { templates: { "app.yaml": POD.replace("/tmp", "/srv") } }],
  ])("%s", (says, parts) => {
    const found = errors({
      ...pipe("{file: /tmp/a, kind: Secret, key: k}"),
      templates: { "app.yaml": POD },
      ...parts,
    });
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", says);
  });
});

describe("a warning", () => {
  it("tells what is for nothing", () =>
    assert.deepEqual(
      warnings({
        tasks: `${TASKS.slice(0, -1)}, {name: idle, kind: Dummy}]`,
        params: "[{name: A}, {name: B, trigger: deploy}]",
        templates: { "app.yaml": APP, "idle.yaml": "" },
      }),
      [
        'task "idle" defined but not used',
        'template "idle.yaml" is not referenced from any task',
        'parameter "A" defined but not used.',
      ],
    ));

  it("tells of API versions that Kubernetes has dropped", () => {
    const of = (kind: string, spec: string): string =>
      `apiVersion: policy/v1beta1\nkind: ${kind}\nmetadata: {name: one}\nspec: ${spec}\n`;
    const told = (text: string): readonly string[] =>
      warnings({ templates: { "app.yaml": `${APP}---\n${text}---\n${text}` } });
    const dropped = (kind: string): string =>
      `template "app.yaml" holds a ${kind} of policy/v1beta1, which Kubernetes dropped in 1.25: `;
    assert.deepEqual(told(of("PodDisruptionBudget", "{minAvailable: 1}")), [
      `${dropped("PodDisruptionBudget")}it is applied as policy/v1 there`,
    ]);
    assert.deepEqual(told(of("PodDisruptionBudget", "{selector: {}}")), [
      `${dropped("PodDisruptionBudget")}policy/v1 has no place for an empty spec.selector, which meant no pod and would mean all, so a plan that applies it fails there`,
    ]);
    assert.deepEqual(told(of("PodSecurityPolicy", "{}")), [
      `${dropped("PodSecurityPolicy")}nothing has taken its place, so a plan that applies it fails there`,
    ]);
  });

  it("of the checks that are asked for: how it looks in a form", () => {
    const params =
      "[{name: A, displayName: 'a:', description: no end, hint: none}, {name: B, displayName: b}]";
    const found = warnings({ params, templates: using("A", "B") ?? {} }, ["all"]);
    assert.deepEqual(found, [
      `parameter "A" has a description not ending with one of '.!?)'`,
      'parameter "B" has no description',
      `parameter "A" has a hint not ending with a '.'`,
      'parameter "B" has no hint',
      `parameter "A" has a displayName ending with ':'`,
      'parameter "B" has a displayName that does not start with a capital letter',
      'parameter "A" has no group',
      'parameter "B" has no group',
      'parameter "A" has no explicit type assigned',
      'parameter "B" has no explicit type assigned',
    ]);
    assert.deepEqual(warnings({ params, templates: using("A", "B") ?? {} }, ["hint"]).length, 2);
  });
});
