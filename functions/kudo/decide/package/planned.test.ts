import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { sprig } from "../../../../shared/templates/sprig.ts";
import type { OperatorVersionSpec, Task } from "../../kinds/index.ts";
import type { Definition } from "../definition/index.ts";
import { namespaceObject, type Planned, plannedObjects } from "./planned.ts";

const configMap = (name: string): string => `kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: ${name}\n`;
const TEMPLATES: OperatorVersionSpec["templates"] = {
  one: configMap("{{ .Name }}-{{ .PlanName }}-{{ .Params.SIZE }}"),
  two: `${configMap("first")}---\n${configMap("{{ index .Params.NAMES 0 }}-{{ .Pipes.cert }}")}`,
  nameless: "kind: ConfigMap\napiVersion: v1\n",
  broken: "{{ .Params.UNKNOWN }}",
};

function planned(
  tasks: readonly Task[],
  names: readonly string[],
  parameters?: Readonly<Record<string, string>>,
): Planned {
  const definition: Definition = {
    metadata: { name: "web-1" },
    spec: {
      templates: TEMPLATES,
      tasks: [...tasks],
      parameters: [
        { name: "SIZE", default: "3" },
        { name: "NAMES", "value-type": "array", default: "[b]" },
        { name: "ON", "value-type": "boolean", default: "true" },
      ],
      plans: { deploy: { phases: [{ name: "main", steps: [{ name: "app", tasks: [...names] }] }] } },
    },
  };
  return plannedObjects(
    { definition, plan: "deploy", instance: "web", namespace: "shop", parameters },
    sprig,
  );
}
const told = ({ objects, notes }: Planned): readonly string[] => [
  ...objects.map(({ act, name, task }) => `${act} ${name} (${task})`),
  ...notes,
];
const apply = (...resources: string[]): Task => ({ name: "infra", kind: "Apply", spec: { resources } });

describe("a plan that is only thought of", () => {
  it("names what it would apply and delete, in order", () => {
    const gone: Task = { name: "gone", kind: "Delete", spec: { resources: ["one"] } };
    assert.deepEqual(told(planned([apply("one"), gone], ["infra", "gone"], { SIZE: "5" })), [
      "apply ConfigMap web-deploy-5 (deploy.main.app.infra)",
      "delete ConfigMap web-deploy-5 (deploy.main.app.gone)",
    ]);
  });

  it("takes the name of what a pipe will make as given, and says that a Pod runs", () => {
    const pipe: Task = { name: "keys", kind: "Pipe", spec: { pipe: [{ key: "cert" }, { key: "key" }] } };
    assert.deepEqual(told(planned([pipe, apply("two")], ["keys", "infra"])), [
      "apply ConfigMap first (deploy.main.app.infra)",
      "apply ConfigMap b-made by cert (deploy.main.app.infra)",
      "deploy.main.app.keys: runs a Pod and keeps cert, key",
    ]);
  });

  for (const [value, expected] of [
    ["true", "apply ConfigMap web-deploy-3 (deploy.main.app.switch)"],
    ["0", "delete ConfigMap web-deploy-3 (deploy.main.app.switch)"],
    ["maybe", "deploy.main.app.switch: ON is neither true nor false"],
  ] as const)
    it(`lets a Toggle follow its parameter: ${value}`, () => {
      const toggle: Task = { name: "switch", kind: "Toggle", spec: { parameter: "ON", resources: ["one"] } };
      assert.deepEqual(told(planned([toggle], ["switch"], { ON: value })), [expected]);
    });

  it("says what cannot be told before it runs", () => {
    const child: Task = { name: "child", kind: "KudoOperator", spec: { package: "cache" } };
    const nothing: Task = { name: "nothing", kind: "Dummy" };
    assert.deepEqual(told(planned([child, nothing], ["child", "nothing", "absent"])), [
      "deploy.main.app.child: an Instance of cache and its own plan",
      "deploy.main.app.nothing: Dummy, which touches nothing",
      "deploy.main.app.absent: there is no such task",
    ]);
  });

  it("says what is wrong with a template", () => {
    const [nameless, broken] = planned([apply("nameless", "broken")], ["infra"]).notes;
    assert.equal(nameless, "deploy.main.app.infra: nameless: it has no metadata.name");
    assert.match(broken ?? "", /^deploy\.main\.app\.infra: .*UNKNOWN/);
  });

  it("has a namespace of its own only where the manifest renders to an object", () => {
    const run = {
      definition: { metadata: { name: "v" }, spec: { templates: TEMPLATES } },
      instance: "web",
      namespace: "shop",
      parameters: undefined,
    };
    const manifest = {
      ...run,
      definition: { ...run.definition, spec: { templates: { ns: configMap("{{ .Namespace }}") } } },
    };
    assert.equal(namespaceObject("ns", manifest, sprig)?.metadata.name, "shop");
    assert.equal(namespaceObject("nameless", run, sprig), undefined);
  });
});
