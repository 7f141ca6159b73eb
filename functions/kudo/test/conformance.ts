import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import type { Conformance, JudgedObject } from "../../../infra/testing/system/index.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { Instance, Operator, OperatorVersion } from "../kinds/index.ts";

/** A folder with the CRDs, packages and step folders of KUDO's own repositories; undefined: the tests are skipped. */
export const folder =
  process.env.CONFORMANCE_DATA === undefined ? undefined : join(process.env.CONFORMANCE_DATA, "kudo");

const KINDS: Readonly<Record<string, Kind>> = { Operator, OperatorVersion, Instance };

/** Every object of KUDO's kinds in the step folders; those of assert files are a status that was written once. */
function objectsIn(from: string): readonly JudgedObject[] {
  const steps = join(from, "integration");
  return readdirSync(steps).flatMap((step) =>
    readdirSync(join(steps, step))
      .filter((file) => file.endsWith(".yaml"))
      .flatMap((file) =>
        parseAllDocuments(readFileSync(join(steps, step, file), "utf8")).flatMap((document, index) => {
          const object: KubeObject | null = document.toJS();
          const kind = object?.apiVersion === "kudo.dev/v1beta1" ? KINDS[object.kind] : undefined;
          if (object === null || kind === undefined) return [];
          const { status, ...rest } = object;
          const title = `${step}/${file} ${index + 1}`;
          return [
            { title, kind, object: rest, valid: true as const, ...(status !== undefined && { status }) },
          ];
        }),
      ),
  );
}

type Tree = Readonly<Record<string, unknown>>;
const version = (spec: Tree): Tree => ({ spec });
/** Objects at the edge of what the schemas allow, on both sides of it. */
const EDGES: readonly (readonly [title: string, kind: Kind, object: Tree, status?: Tree])[] = [
  ["an Operator without a spec", Operator, {}],
  ["an Operator with maintainers", Operator, version({ maintainers: [{ name: "a" }, {}], url: "x" })],
  ["an Operator with a number as its url", Operator, version({ url: 1 })],
  ["a version without a spec", OperatorVersion, {}],
  ["a version without plans", OperatorVersion, version({ plans: null })],
  ["an empty plan", OperatorVersion, version({ plans: { deploy: {} } })],
  ["a plan without phases", OperatorVersion, version({ plans: { deploy: { phases: null } } })],
  [
    "a phase without steps",
    OperatorVersion,
    version({ plans: { deploy: { strategy: "serial", phases: [{ name: "a" }] } } }),
  ],
  ["a strategy that is no text", OperatorVersion, version({ plans: { deploy: { strategy: 1 } } })],
  ["a task of an unknown kind", OperatorVersion, version({ tasks: [{ name: "a", kind: "Wait", spec: {} }] })],
  ["a task without resources", OperatorVersion, version({ tasks: [{ spec: { resources: null } }] })],
  ["a default that is no text", OperatorVersion, version({ parameters: [{ name: "A", default: 3 }] })],
  [
    "a parameter with everything",
    OperatorVersion,
    version({
      parameters: [
        { name: "A", default: "1", "value-type": "integer", enum: ["1", "2"], trigger: "t", immutable: true },
      ],
    }),
  ],
  ["a template that is no text", OperatorVersion, version({ templates: { a: { b: 1 } } })],
  ["an Instance without a spec", Instance, {}],
  ["a parameter's value that is no text", Instance, version({ parameters: { A: 3 } })],
  [
    "an idle Instance as Go writes it",
    Instance,
    version({ operatorVersion: { name: "v" }, planExecution: { planName: "", uid: "" } }),
  ],
  [
    "an Instance whose plan runs",
    Instance,
    version({ planExecution: { planName: "deploy", uid: "u", status: "IN_PROGRESS" } }),
    {
      planStatus: {
        deploy: {
          name: "deploy",
          status: "IN_PROGRESS",
          lastUpdatedTimestamp: "2020-05-05T10:00:00Z",
          uid: "u",
          phases: [{ name: "p", status: "PENDING", steps: [{ name: "s", status: "PENDING", message: "m" }] }],
        },
        update: { name: "update", status: "NEVER_RUN", lastUpdatedTimestamp: null, uid: "" },
      },
      conditions: [
        {
          type: "Ready",
          status: "Unknown",
          reason: "PlanInProgress",
          message: "",
          lastTransitionTime: "2020-05-05T10:00:00Z",
        },
      ],
    },
  ],
  ["a condition without a reason", Instance, {}, { conditions: [{ type: "Ready", status: "True" }] }],
];

/** Our CRDs beside KUDO's own, with its objects and ours at the edge. */
export const objectsOfUpstream: Conformance = {
  name: "KUDO's objects",
  theirs:
    folder === undefined
      ? undefined
      : new Map(Object.values(KINDS).map((kind) => [kind, () => theirCrd(kind, folder)])),
  keepsTheSame: true,
  objects: [
    ...(folder === undefined ? [] : objectsIn(folder)),
    ...EDGES.map(([title, kind, object, status]) => ({
      title,
      kind,
      object,
      ...(status !== undefined && { status }),
    })),
  ],
};

const theirCrd = (kind: Kind, from: string): KubeObject =>
  parse(readFileSync(join(from, "crds", `kudo.dev_${kind.plural}.yaml`), "utf8"));
