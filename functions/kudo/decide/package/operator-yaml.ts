import type { Phase, Plan, Step, Strategy, Task } from "../../kinds/index.ts";
import type { Place, YamlFile } from "./yaml-file.ts";

/** The only API version of a package. */
export const API_VERSION = "kudo.dev/v1beta1";

/** The content of operator.yaml. */
export interface OperatorFile {
  readonly name: string;
  readonly operatorVersion: string;
  readonly appVersion: string;
  readonly kudoVersion: string;
  readonly kubernetesVersion: string;
  readonly description: string;
  readonly url: string;
  /** The template of the namespace that `install --create-namespace` makes; empty: a bare one. */
  readonly namespaceManifest: string;
  readonly maintainers: readonly Maintainer[];
  readonly tasks: readonly Task[];
  readonly plans: Readonly<Record<string, Plan>>;
}

/** One who looks after an operator. */
export interface Maintainer {
  readonly name?: string;
  readonly email?: string;
}

/** Leaves out what is absent. */
export const present = <T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

/** Refuses another version of the package format; absent is the one that there is. */
export function readApiVersion(file: YamlFile): void {
  const place = file.field(file.root, "apiVersion");
  const version = file.text(place) ?? "";
  if (version !== "" && version !== API_VERSION)
    file.fault(place, `expecting supported API version ${API_VERSION} but got ${version}`);
}

/** Reads operator.yaml; what is wrong stands in the file's faults. */
export function readOperator(file: YamlFile): OperatorFile {
  readApiVersion(file);
  const text = (name: string): string => file.text(file.field(file.root, name)) ?? "";
  if (file.map(file.root) === undefined && file.faults.length === 0)
    file.fault(file.root, "failed to parse yaml into valid operator operator.yaml: it is empty");
  const plans = file.map(file.field(file.root, "plans")) ?? [];
  return {
    name: text("name"),
    operatorVersion: text("operatorVersion"),
    appVersion: text("appVersion"),
    kudoVersion: text("kudoVersion"),
    kubernetesVersion: text("kubernetesVersion"),
    description: text("description"),
    url: text("url"),
    namespaceManifest: text("namespaceManifest"),
    maintainers: (file.list(file.field(file.root, "maintainers")) ?? []).map((place) =>
      present({ name: file.text(file.field(place, "name")), email: file.text(file.field(place, "email")) }),
    ),
    tasks: (file.list(file.field(file.root, "tasks")) ?? []).map((place) => readTask(file, place)),
    plans: Object.fromEntries(plans.map(([name, place]) => [name, readPlan(file, place)])),
  };
}

function readTask(file: YamlFile, place: Place): Task {
  const spec = file.field(place, "spec");
  const text = (name: string): string | undefined => file.text(file.field(spec, name));
  const truth = (name: string): boolean | undefined => file.truth(file.field(spec, name));
  const pipe = file.list(file.field(spec, "pipe"))?.map((one) =>
    present({
      file: file.text(file.field(one, "file")),
      envFile: file.text(file.field(one, "envFile")),
      kind: file.text(file.field(one, "kind")),
      key: file.text(file.field(one, "key")),
    }),
  );
  // A spec that is written and empty is there: tasks of upstream's packages have such.
  const fields = present({
    resources: file.texts(file.field(spec, "resources")),
    parameter: text("parameter"),
    wantErr: truth("wantErr"),
    fatal: truth("fatal"),
    done: truth("done"),
    pod: text("pod"),
    pipe,
    package: text("package"),
    instanceName: text("instanceName"),
    appVersion: text("appVersion"),
    operatorVersion: text("operatorVersion"),
    parameterFile: text("parameterFile"),
  });
  return {
    ...present({ name: file.text(file.field(place, "name")), kind: file.text(file.field(place, "kind")) }),
    spec: fields,
  };
}

const strategyOf = (file: YamlFile, place: Place): Strategy | undefined =>
  // Which words there are, verifying tells: a package with another one is read all the same.
  file.text(file.field(place, "strategy")) as Strategy | undefined;

const timeoutOf = (file: YamlFile, place: Place): number | undefined =>
  file.integer(file.field(place, "timeoutSeconds"));

const readPlan = (file: YamlFile, place: Place): Plan =>
  present({
    strategy: strategyOf(file, place),
    phases: file.list(file.field(place, "phases"))?.map(
      (phase): Phase =>
        present({
          name: file.text(file.field(phase, "name")),
          strategy: strategyOf(file, phase),
          steps: file.list(file.field(phase, "steps"))?.map(
            (step): Step =>
              present({
                name: file.text(file.field(step, "name")),
                tasks: file.texts(file.field(step, "tasks")),
                timeoutSeconds: timeoutOf(file, step),
              }),
          ),
          timeoutSeconds: timeoutOf(file, phase),
        }),
    ),
    timeoutSeconds: timeoutOf(file, place),
  });
