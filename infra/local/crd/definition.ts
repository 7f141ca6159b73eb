import type { KubeObject } from "../../../shared/kube/object.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject } from "../json.ts";
import type { ApiObject, PrinterColumn, ResourceType, SelectableField } from "../resource-type.ts";
import { compareVersions } from "../version-order.ts";

/** The names of a CRD; what is left out has been defaulted. */
export interface Names {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}
/** One version of a CRD. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: {
    readonly status?: object;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly SelectableField[];
}
/** `spec` of a CustomResourceDefinition that passed validation. */
export interface DefinitionSpec {
  readonly group: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly names: Names;
  readonly versions: readonly DefinitionVersion[];
}
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

export const specOf = (definition: KubeObject | ApiObject): DefinitionSpec =>
  definition.spec as unknown as DefinitionSpec;

export function conditionsOf(definition: KubeObject | ApiObject): readonly Condition[] {
  const { status } = definition;
  return isObject(status) && Array.isArray(status.conditions) ? (status.conditions as Condition[]) : [];
}
export const isTrue = (definition: KubeObject | ApiObject, type: string): boolean =>
  conditionsOf(definition).some((condition) => condition.type === type && condition.status === "True");

const ageColumn: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

/** The resource types that a CRD stands for: one a served version; none while its names are refused. */
export function typesOf(definition: KubeObject): readonly ResourceType[] {
  if (!isTrue(definition, "Established")) return [];
  const spec = specOf(definition);
  const terminating = definition.metadata.deletionTimestamp !== undefined;
  return spec.versions
    .filter((version) => version.served)
    .map((version) => typeOf(spec, version, terminating));
}

function typeOf(
  { group, scope, names, versions }: DefinitionSpec,
  version: DefinitionVersion,
  terminating: boolean,
): ResourceType {
  const scale = version.subresources?.scale;
  const schema = version.schema?.openAPIV3Schema;
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind,
    plural: names.plural,
    singular: names.singular,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === "Namespaced",
    custom: true,
    subresources: { status: version.subresources?.status !== undefined, scale },
    columns: version.additionalPrinterColumns ?? [ageColumn],
    schema,
    description: schema?.description,
    selectableFields: version.selectableFields ?? [],
    generation: true,
    terminating,
    deprecationWarning: version.deprecated
      ? (version.deprecationWarning ??
        `${group}/${version.name} ${names.kind} is deprecated${insteadOf({ group, names, versions }, version)}`)
      : undefined,
  };
}

/** The version that a warning points to: the highest served one that is not deprecated, if it is higher. */
function insteadOf(
  { group, names, versions }: Pick<DefinitionSpec, "group" | "names" | "versions">,
  version: DefinitionVersion,
): string {
  const [better] = versions
    .filter((one) => one.served && one.deprecated !== true && compareVersions(one.name, version.name) < 0)
    .sort((a, b) => compareVersions(a.name, b.name));
  return better === undefined ? "" : `; use ${group}/${better.name} ${names.kind}`;
}
