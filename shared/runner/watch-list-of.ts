import type { FunctionDeclaration } from "../function/declaration.ts";
import { DeclarationError } from "../function/system.ts";
import type { Kind } from "../kube/kind.ts";
import { labelSelectorOf } from "./label-selector.ts";
import type { WatchedKind, WatchList } from "./watch-list.ts";

const RANK = { facts: 0, object: 1, all: 2 } as const;
type Interest = keyof typeof RANK;

/** The watch list with which every wake of these functions can happen. Deterministic. */
export function watchListOf(
  functions: readonly FunctionDeclaration[],
  namespaces?: readonly string[],
): WatchList {
  const found = new Map<string, WatchedKind>();
  for (const declaration of functions) {
    add(found, declaration.key.kind, "all");
    for (const kind of declaration.owns) add(found, kind, "object");
    for (const { kind } of declaration.wakes) if (kind !== undefined) add(found, kind, "facts");
  }
  const kinds = [...found.values()].sort((a, b) => idOf(a).localeCompare(idOf(b)));
  return { kinds, ...(namespaces !== undefined && { namespaces }) };
}

const idOf = ({ group, kind }: Pick<WatchedKind, "group" | "kind">): string => `${group}/${kind}`;

function add(found: Map<string, WatchedKind>, kind: Kind, interest: Interest): void {
  const known = found.get(idOf(kind));
  const { group, version, versions, plural, scope, facts, ready } = kind;
  const labelSelector = labelSelectorOf(kind.selector?.labels);
  if (known === undefined) {
    found.set(idOf(kind), {
      group,
      version,
      ...(versions.length > 1 && { versions }),
      kind: kind.kind,
      plural,
      scope: scope === "Cluster" ? "Cluster" : "Namespaced",
      ...(labelSelector !== undefined && { labelSelector }),
      facts,
      ready,
      interest,
    });
    return;
  }
  for (const [name, path] of Object.entries(facts)) {
    const other = known.facts[name];
    if (other !== undefined && other.join("\n") !== path.join("\n"))
      throw new DeclarationError(
        "DECLARATION_FACT_CONFLICT",
        `Two declarations of ${idOf(kind)} give the fact ${name} different paths (${other.join(".")} and ${path.join(".")}): rename one.`,
      );
  }
  const [one, other] = [known.versions ?? [known.version], versions].map((names) => names.join(", "));
  if (one !== other)
    throw new DeclarationError(
      "DECLARATION_VERSION_CONFLICT",
      `Two declarations of ${idOf(kind)} name the versions ${one} and ${other}: agree on one.`,
    );
  const { labelSelector: selected, ...all } = known;
  found.set(idOf(kind), {
    ...all,
    // Whoever wants others too gets all.
    ...(selected !== undefined && selected === labelSelector && { labelSelector }),
    facts: { ...known.facts, ...facts },
    ready: known.ready ?? ready,
    interest: RANK[interest] > RANK[known.interest] ? interest : known.interest,
  });
}
