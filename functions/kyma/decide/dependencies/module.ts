import { jsonOf } from "../../../../shared/json/parse.ts";
import { ANNOTATIONS, type Requirement, requirementsIn, type WrittenRequirement } from "../../kinds/index.ts";

/** A module that a Kyma has or is going to have, as far as others may need it. */
export interface EnabledModule {
  readonly name: string;
  /** The name of its Manifest, which may not be there yet; undefined: there is none. */
  readonly manifest: string | undefined;
  /** True for a module that is left to its user: it counts as there. */
  readonly isLeft?: boolean;
  readonly requires: readonly Requirement[];
  readonly provides: readonly string[];
}

/** True where a module provides what is required. Kinds are looked for in the cluster, whoever brings them. */
export const isProvidedBy = (
  { module, capability }: Requirement,
  other: Pick<EnabledModule, "name" | "provides">,
): boolean =>
  module !== undefined
    ? module === other.name
    : capability !== undefined && other.provides.includes(capability);

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
