import type { Obj } from "../../../../shared/kube/kind.ts";
import type { Instance, Operator, OperatorVersion, Parameter, Task } from "../../kinds/index.ts";
import { type PackageValue, wireText } from "../parameters/index.ts";
import { invalidPackage, type PackageFault } from "./errors.ts";
import { OPERATOR_FILE, type PackageFiles } from "./files.ts";
import { API_VERSION, present } from "./operator-yaml.ts";
import type { PackageParameter } from "./params-yaml.ts";

/** The label of an Instance that names its operator. */
export const OPERATOR_LABEL = "kudo.dev/operator";

/** An object that is to be written, without what the server adds. */
type Draft<K extends typeof Operator | typeof OperatorVersion | typeof Instance> = Pick<Obj<K>, "spec"> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
};

/** The three objects of a package. */
export interface PackageObjects {
  readonly operator: Draft<typeof Operator>;
  readonly operatorVersion: Draft<typeof OperatorVersion>;
  readonly instance: Draft<typeof Instance>;
}

/** The name of an OperatorVersion. */
export const operatorVersionName = (operator: string, appVersion: string, version: string): string =>
  [operator, ...(appVersion === "" ? [] : [appVersion]), version].join("-");

/** The name of an Instance whose user gives none. */
export const defaultInstanceName = (operator: string): string => `${operator}-instance`;

/**
 * The objects of a package, as upstream makes them; parameters that need no text of their own in the cluster (group, hint,
 * advanced) stay behind.
 * @throws PackageError
 */
export function packageObjects({ operator, params, templates }: PackageFiles): PackageObjects {
  const faults = operator.tasks.flatMap((task) => taskFaults(task, templates));
  if (faults.length > 0) throw invalidPackage(faults);
  const { name, appVersion, operatorVersion: version } = operator;
  const versionName = operatorVersionName(name, appVersion, version);
  return {
    operator: {
      apiVersion: API_VERSION,
      kind: "Operator",
      metadata: { name },
      spec: withTexts({
        description: operator.description,
        kudoVersion: operator.kudoVersion,
        kubernetesVersion: operator.kubernetesVersion,
        maintainers: operator.maintainers.length === 0 ? undefined : [...operator.maintainers],
        url: operator.url,
        namespaceManifest: operator.namespaceManifest,
      }),
    },
    operatorVersion: {
      apiVersion: API_VERSION,
      kind: "OperatorVersion",
      metadata: { name: versionName },
      spec: {
        operator: { kind: "Operator", name },
        ...withTexts({ appVersion, version }),
        templates: { ...templates },
        tasks: [...operator.tasks],
        parameters: params.parameters.map(parameterObject),
        plans: { ...operator.plans },
      },
    },
    instance: {
      apiVersion: API_VERSION,
      kind: "Instance",
      metadata: { name: defaultInstanceName(name), labels: { [OPERATOR_LABEL]: name } },
      spec: { operatorVersion: { name: versionName } },
    },
  };
}

/** Leaves out empty texts, as upstream's objects do. */
const withTexts = <T extends Readonly<Record<string, unknown>>>(fields: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined),
  ) as Partial<T>;

/** The parameter as an OperatorVersion has it: values are texts. */
export function parameterObject(parameter: PackageParameter): Parameter {
  const { type, default: value, enum: allowed } = parameter;
  return {
    ...withTexts({
      name: parameter.name,
      displayName: parameter.displayName,
      description: parameter.description,
      trigger: parameter.trigger,
      "value-type": type,
    }),
    required: parameter.required,
    immutable: parameter.immutable,
    ...present({
      default: value && wireText(value),
      enum: allowed?.map((one: PackageValue) => wireText(one) ?? ""),
    }),
  };
}

/** The templates that a task names. */
export function templatesOf({ kind, spec }: Task): readonly string[] {
  const { resources, pod, parameterFile } = spec ?? {};
  if (kind === "Apply" || kind === "Delete" || kind === "Toggle") return resources ?? [];
  if (kind === "Pipe") return [pod ?? ""];
  if (kind === "KudoOperator" && parameterFile !== undefined && parameterFile !== "") return [parameterFile];
  return [];
}

const KINDS: readonly string[] = ["Apply", "Delete", "Dummy", "Pipe", "Toggle", "KudoOperator"];

function taskFaults(task: Task, templates: PackageFiles["templates"]): readonly PackageFault[] {
  const { name = "", kind = "", spec } = task;
  const messages = [
    ...(KINDS.includes(kind) ? [] : [`unknown task kind ${kind}`]),
    ...(kind === "Toggle" && (spec?.parameter ?? "") === ""
      ? [`toggle task ${name} does not have parameter specified`]
      : []),
    ...(kind === "Pipe" && (spec?.pipe ?? []).length === 0
      ? [`task ${name} does not have pipe files specified`]
      : []),
    ...templatesOf(task)
      .filter((one) => !Object.hasOwn(templates, one))
      .map((one) => `task ${name} missing template: ${one}`),
  ];
  return messages.map((message) => ({ file: OPERATOR_FILE, message }));
}
