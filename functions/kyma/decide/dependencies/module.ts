import { jsonOf } from "../../../../shared/json/parse.ts";
import { parseApiVersion } from "../../../../shared/kube/object.ts";
import {
  ANNOTATIONS,
  type ModuleTemplateSpec,
  type Requirement,
  requirementsIn,
  type WrittenRequirement,
} from "../../kinds/index.ts";

/** A kind, in whichever version. */
export interface NamedKind {
  readonly group: string;
  readonly kind: string;
}
/** Something that may do for a requirement. */
export interface Offer {
  readonly name: string;
  readonly provides: readonly string[];
  /** The kinds that its template names as its own: what else its artifact brings, only the runtime knows. */
  readonly kinds?: readonly NamedKind[];
}

/** A module that a Kyma has or is going to have, as far as others may need it. */
export interface EnabledModule extends Offer {
  /** The name of its Manifest, which may not be there yet; undefined: there is none. */
  readonly manifest: string | undefined;
  /** True for a module that is left to its user: it counts as there. */
  readonly isLeft?: boolean;
  readonly requires: readonly Requirement[];
}

/** True where a module provides what is required. Kinds are looked for in the cluster, whoever brings them. */
export const isProvidedBy = (
  { module, capability }: Requirement,
  other: Pick<EnabledModule, "name" | "provides">,
): boolean =>
  module !== undefined
    ? module === other.name
    : capability !== undefined && other.provides.includes(capability);

/** True where a module provides what is required, or its template names the kind that is. */
export const isOfferedBy = (required: Requirement, other: Offer): boolean =>
  isProvidedBy(required, other) ||
  (required.crd !== undefined &&
    other.kinds?.some(({ group, kind }) => group === required.crd?.group && kind === required.crd.kind) ===
      true);

/** The kinds that a template names as its module's own: those of its default object, and of what users create. */
export const kindsNamedBy = (
  spec: Pick<ModuleTemplateSpec, "data" | "associatedResources"> | undefined,
): readonly NamedKind[] => [...kindsOfObject(spec?.data), ...(spec?.associatedResources ?? [])];
/** The kind of a default object; none where there is no object. */
export const kindsOfObject = (
  object: { readonly apiVersion: string; readonly kind: string } | null | undefined,
): readonly NamedKind[] =>
  object ? [{ group: parseApiVersion(object.apiVersion).group, kind: object.kind }] : [];

/** The thing that is required, as people write it. */
export function wordsOf({ crd, module, range, capability }: Requirement): string {
  if (crd !== undefined) return `the kind ${crd.kind} of ${crd.group}/${crd.version}`;
  return module === undefined
    ? `the capability ${capability}`
    : `the module ${module}${range === undefined ? "" : ` in a version ${range}`}`;
}

/** The annotations by which a Manifest learns what its module needs and provides. */
export const dependencyAnnotations = (
  requires: readonly WrittenRequirement[],
  provides: readonly string[],
): Readonly<Record<string, string>> => ({
  ...(requires.length > 0 && { [ANNOTATIONS.requires]: JSON.stringify(requires) }),
  ...(provides.length > 0 && { [ANNOTATIONS.provides]: JSON.stringify(provides) }),
});

interface Annotated {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
}
/** The requirements that a Manifest keeps. */
export function keptRequirements({ metadata: { annotations } }: Annotated): readonly WrittenRequirement[] {
  const text = annotations[ANNOTATIONS.requires];
  return text === undefined ? [] : (requirementsIn(jsonOf(text)) ?? []);
}
/** The capabilities that a Manifest keeps. */
export function keptCapabilities({ metadata: { annotations } }: Annotated): readonly string[] {
  const kept = jsonOf(annotations[ANNOTATIONS.provides] ?? "");
  return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
}
