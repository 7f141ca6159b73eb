import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import { DeclarationError, type System } from "../../shared/function/system.ts";
import type { ClustersStatics } from "../../shared/kube/cluster-names.ts";
import type { Kind } from "../../shared/kube/kind.ts";
import { declaredClusters, rightsOf } from "../../shared/runner/rights.ts";

/** A kind as people may spell it. */
export interface KnownKind {
  readonly group: string;
  readonly version: string;
  /** Set where several versions will do: the first that the server offers counts. */
  readonly versions?: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
}
/** A function as the other commands know it, without its code. */
export interface KnownFunction {
  readonly name: string;
  readonly system: string;
  readonly finalizer?: string | undefined;
}

/** Every kind that some functions name, each once, in a stable order; not what a slot admits, nor what lies in other clusters. */
export function kindsOf(functions: readonly FunctionDeclaration[]): readonly Kind[] {
  const kinds = new Map<string, Kind>();
  for (const declaration of functions)
    for (const { kind } of rightsOf(declaration).values())
      if (!kind.dynamic && kind.clusters === undefined) kinds.set(`${kind.group}/${kind.kind}`, kind);
  return [...kinds].sort(([one], [other]) => one.localeCompare(other)).map(([, kind]) => kind);
}

/** The kinds that these functions bring along: those whose CRDs are theirs to install. */
export const ownKindsOf = (functions: readonly FunctionDeclaration[]): readonly Kind[] =>
  kindsOf(functions).filter(({ external, scope }) => !external && scope !== "Any");

/** The other clusters that some functions have to do with, by their id. Throws a `DeclarationError` where two have one id. */
export function clustersOf(functions: readonly FunctionDeclaration[]): ReadonlyMap<string, ClustersStatics> {
  const found = new Map<string, ClustersStatics>();
  for (const clusters of functions.flatMap(declaredClusters)) {
    const other = found.get(clusters.id);
    if (other !== undefined && JSON.stringify(other.secret) !== JSON.stringify(clusters.secret))
      throw new DeclarationError(
        "DECLARATION_CLUSTERS",
        `Two declarations of the clusters ${clusters.id} say that their Secrets are found differently: give one of them another id.`,
      );
    found.set(clusters.id, clusters);
  }
  return found;
}

export const functionsOf = (systems: readonly System[]): readonly FunctionDeclaration[] =>
  systems.flatMap(({ functions }) => functions);

export const knownKindsOf = (functions: readonly FunctionDeclaration[]): readonly KnownKind[] =>
  kindsOf(functions).map(({ group, version, versions, kind, plural, singular, shortNames, scope }) => ({
    group,
    version,
    ...(versions.length > 1 && { versions }),
    kind,
    plural,
    singular,
    shortNames,
    scope: scope === "Cluster" ? "Cluster" : "Namespaced",
  }));

export const knownFunctionsOf = (systems: readonly System[]): readonly KnownFunction[] =>
  systems.flatMap((system) =>
    system.functions.map((declaration) => ({
      name: declaration.name,
      system: system.name,
      ...(declaration.finalizer === undefined ? {} : { finalizer: declaration.finalizer.name }),
    })),
  );

/** True where the API server or another controller asks a system. */
export const isAsked = ({ admissions, hooks }: System): boolean => admissions.length + hooks.length > 0;
