import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { faultText, PackageError, type PackageFiles, packageObjects, readPackage } from "./index.ts";

const OPERATOR = `
name: demo
operatorVersion: "0.1.0"
appVersion: 1.10
kubernetesVersion: 1.15
maintainers:
  - name: A
    email: <a@example.org>
tasks:
  - name: app
    kind: Apply
    spec:
      resources: [app.yaml]
plans:
  deploy:
    strategy: serial
    phases:
      - name: main
        strategy: parallel
        steps:
          - name: app
            tasks: [app]
`;
const PARAMS = `
parameters:
  - name: COUNT
    default: 1000000
    type: integer
  - name: PORTS
    type: array
    default: [80, 443]
  - name: NAME
    required: false
  - name: ON
    default: yes
    enum: [true, false]
`;
const bytes = (texts: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
const whole = { "operator.yaml": OPERATOR, "params.yaml": PARAMS, "templates/app.yaml": "kind: A" };
const read = (changes: Readonly<Record<string, string>> = {}): PackageFiles =>
  readPackage(bytes({ ...whole, ...changes }));

const faultsOf = (files: Readonly<Record<string, string>>): readonly string[] => {
  try {
    readPackage(bytes(files));
  } catch (error) {
    assert(error instanceof PackageError);
    assert.equal(error.code, "KUDO_PACKAGE_INVALID");
    return error.faults.map(faultText);
  }
  return [];
};

describe("reading a package", () => {
  it("keeps the text of what is written as a number", () => {
    const { operator, params } = read();
    assert.equal(operator.appVersion, "1.10");
    assert.equal(operator.kubernetesVersion, "1.15");
    assert.deepEqual(
      params.parameters.map(({ name, required, immutable }) => [name, required, immutable]),
      [
        ["COUNT", true, false],
        ["PORTS", true, false],
        ["NAME", false, false],
        ["ON", true, false],
      ],
    );
  });

  it("takes templates below their folder, and passes other files over", () => {
    const { templates } = read({
      "templates/sub/b.yaml": "b",
      "templates/README.md": "no",
      "docs/c.yaml": "no",
      "other/operator.yaml": "[no",
    });
    assert.deepEqual(templates, { "app.yaml": "kind: A", "sub/b.yaml": "b" });
  });

  it("names the file and the place of each fault, all at once", () => {
    assert.deepEqual(faultsOf({ "operator.yaml": OPERATOR }), ["params.yaml: file is missing"]);
    assert.deepEqual(faultsOf({ ...whole, "operator.yaml": "" }), [
      "operator.yaml: failed to parse yaml into valid operator operator.yaml: it is empty",
    ]);
    assert.deepEqual(
      faultsOf({
        ...whole,
        "operator.yaml": "apiVersion: kudo.dev/v2\nname: {a: b}\ntasks: no\n",
        "params.yaml": "parameters:\n  - name: A\n    required: maybe\n",
      }),
      [
        "operator.yaml:1:13: apiVersion: expecting supported API version kudo.dev/v1beta1 but got kudo.dev/v2",
        "operator.yaml:2:7: name: it is no text",
        "operator.yaml:3:8: tasks: it is no list",
        "params.yaml:3:15: parameters[0].required: it is neither true nor false",
      ],
    );
    const [fault = ""] = faultsOf({ ...whole, "params.yaml": "parameters:\n  - [a\n" });
    assert.match(fault, /^params\.yaml:\d+:\d+: /);
    assert.deepEqual(faultsOf({ ...whole, "params.yaml": "" }), []);
  });

  it("reads anchors and merged maps, and a name in other letters", () => {
    const { operator } = read({
      "operator.yaml": `
Name: demo
operatorversion: 0.1.0
tasks:
  - &one {name: one, kind: Apply, spec: {resources: [app.yaml]}}
  - <<: *one
    name: two
plans: {deploy: }
`,
    });
    assert.equal(operator.name, "demo");
    assert.deepEqual(
      operator.tasks.map(({ name, kind }) => [name, kind]),
      [
        ["one", "Apply"],
        ["two", "Apply"],
      ],
    );
    assert.deepEqual(operator.plans, { deploy: {} });
  });

  it("refuses what is no text", () => {
    const files = new Map([...bytes(whole), ["templates/a.yaml", Uint8Array.of(0xff, 0xfe)]]);
    assert.throws(() => readPackage(files), {
      code: "KUDO_PACKAGE_INVALID",
      message: "templates/a.yaml: it is no text in UTF-8",
    });
  });
});

describe("the objects of a package", () => {
  it("are those that upstream makes", () => {
    const { operator, operatorVersion, instance } = packageObjects(read());
    assert.deepEqual(operator, {
      apiVersion: "kudo.dev/v1beta1",
      kind: "Operator",
      metadata: { name: "demo" },
      spec: { kubernetesVersion: "1.15", maintainers: [{ name: "A", email: "<a@example.org>" }] },
    });
    assert.equal(operatorVersion.metadata.name, "demo-1.10-0.1.0");
    assert.deepEqual(operatorVersion.spec?.parameters, [
      { name: "COUNT", "value-type": "integer", required: true, immutable: false, default: "1000000" },
      { name: "PORTS", "value-type": "array", required: true, immutable: false, default: "- 80\n- 443\n" },
      { name: "NAME", required: false, immutable: false },
      { name: "ON", required: true, immutable: false, default: "true", enum: ["true", "false"] },
    ]);
    assert.deepEqual(operatorVersion.spec?.operator, { kind: "Operator", name: "demo" });
    assert.deepEqual(instance, {
      apiVersion: "kudo.dev/v1beta1",
      kind: "Instance",
      metadata: { name: "demo-instance", labels: { "kudo.dev/operator": "demo" } },
      spec: { operatorVersion: { name: "demo-1.10-0.1.0" } },
    });
  });

  it("are not made of tasks that cannot be", () => {
    assert.throws(
      () =>
        packageObjects(
          read({ "operator.yaml": OPERATOR.replace("[app.yaml]", "[b.yaml]").replace("Apply", "Delete") }),
        ),
      /^PackageError: operator\.yaml: task app missing template: b\.yaml$/,
    );
    assert.throws(
      () => packageObjects(read({ "operator.yaml": OPERATOR.replace("Apply", "Wait") })),
      /unknown task kind Wait/,
    );
  });
});
