import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { OperatorVersionSpec, Task } from "../../kinds/index.ts";
import type { Definition } from "../definition/index.ts";
import { type Planned, plannedObjects } from "./planned.ts";

const configMap = (name: string): string => `kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: ${name}\n`;
const TEMPLATES: OperatorVersionSpec["templates"] = {
  one: configMap("{{ .Name }}-{{ .PlanName }}-{{ .Params.SIZE }}"),
  two: `${configMap("first")}---\n${configMap("{{ index .Params.NAMES 0 }}-{{ .Pipes.cert }}")}`,
  nameless: "kind: ConfigMap\napiVersion: v1\n",
  broken: "{{ .Params.UNKNOWN }}",
  open: `${configMap("fine")}---\n${configMap("one")}data: [`,
  counted: configMap("none-{{ len .Params.NONE }}"),
  pod: `apiVersion: v1
kind: Pod
spec:
  volumes: [{ name: shared, emptyDir: {} }]
  initContainers: [{ name: maker, image: busybox, volumeMounts: [{ name: shared, mountPath: /tmp }] }]
`,
};

function planned(
  tasks: readonly Task[],
  names: readonly string[],
  parameters?: Readonly<Record<string, string>>,
): Planned {
  const version: Definition = {
    metadata: { name: "web-1" },
    spec: {
      templates: TEMPLATES,
      tasks: [...tasks],
      parameters: [
        { name: "SIZE", default: "3" },
        { name: "NAMES", "value-type": "array", default: "[b]" },
        { name: "NONE", "value-type": "array", default: "" },
        { name: "ON", "value-type": "boolean", default: "true" },
      ],
      plans: { deploy: { phases: [{ name: "main", steps: [{ name: "app", tasks: [...names] }] }] } },
    },
  };
  const instance = {
    metadata: { name: "web", namespace: "shop", uid: "" },
    spec: { operatorVersion: { name: "web-1" }, ...(parameters && { parameters: { ...parameters } }) },
  };
  return plannedObjects({ version, plan: "deploy", instance });
}
const told = ({ objects, notes, faults }: Planned): readonly string[] => [
  ...objects.map(({ act, name, task }) => `${act} ${name} (${task})`),
  ...notes,
  ...faults.map((fault) => `! ${fault}`),
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

  it("names what a pipe will make as its run does, and says that a Pod runs", () => {
    const pipe: Task = {
      name: "keys",
      kind: "Pipe",
      spec: { pod: "pod", pipe: [{ file: "/tmp/cert", kind: "Secret", key: "cert" }] },
    };
    assert.deepEqual(told(planned([pipe, apply("two")], ["keys", "infra"])), [
      "apply ConfigMap first (deploy.main.app.infra)",
      "apply ConfigMap b-web.deploy.main.app.keys.cert (deploy.main.app.infra)",
      "deploy.main.app.keys: runs the Pod web.deploy.main.app.keys.pipepod and makes Secret web.deploy.main.app.keys.cert",
    ]);
  });

  it.each([
    ["true", "apply ConfigMap web-deploy-3 (deploy.main.app.switch)"],
    ["0", "delete ConfigMap web-deploy-3 (deploy.main.app.switch)"],
    [
      "maybe",
      '! deploy.main.app.switch: parameter ON of task switch is no boolean: type is "boolean" but format of "maybe" is invalid: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
  ])("lets a Toggle follow its parameter: %s", (value, expected) => {
    const toggle: Task = { name: "switch", kind: "Toggle", spec: { parameter: "ON", resources: ["one"] } };
    assert.deepEqual(told(planned([toggle], ["switch"], { ON: value })), [expected]);
  });

  it("says what the tasks do that apply nothing themselves", () => {
    const child: Task = {
      name: "child",
      kind: "KudoOperator",
      spec: { package: "cache", operatorVersion: "1.0.0" },
    };
    const nothing: Task = { name: "nothing", kind: "Dummy", spec: { done: true } };
    assert.deepEqual(told(planned([child, nothing], ["child", "nothing"])), [
      "deploy.main.app.child: makes the Instance web-cache of cache, which runs a plan of its own",
      "deploy.main.app.nothing: touches nothing",
    ]);
  });

  it("says what would stop the plan, in the words of the run", () => {
    const never: Task = { name: "never", kind: "Dummy" };
    assert.deepEqual(planned([never], ["never", "absent"]).faults, [
      "deploy.main.app.never: it is never done",
      "deploy.main.app.absent: failed to find task absent: no such task in the operator version",
    ]);
    const faultOf = (template: string): string => planned([apply(template)], ["infra"]).faults.join("\n");
    assert.equal(faultOf("nameless"), "deploy.main.app.infra: nameless, document 1: it has no metadata.name");
    assert.match(faultOf("broken"), /^deploy\.main\.app\.infra: error rendering broken: .*UNKNOWN/);
    assert.match(faultOf("open"), /^deploy\.main\.app\.infra: open, document 2: /);
  });

  it("reads an empty list as the run does: as one without entries", () =>
    assert.deepEqual(told(planned([apply("counted")], ["infra"])), [
      "apply ConfigMap none-0 (deploy.main.app.infra)",
    ]));
});
