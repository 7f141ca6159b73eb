import type { FunctionDeclaration } from "../../function/declaration.ts";
import type { PolicyRule } from "../../runner/rights.ts";
import { PAUSED_FUNCTIONS } from "./paused-functions.ts";
/**
 * The rights that carrying out commands needs: the annotation of the kinds that functions are keyed by, and the ConfigMap of
 * pauses.
 */
export function commandRules(functions: readonly FunctionDeclaration[]): readonly PolicyRule[] {
  const byGroup = Map.groupBy(
    new Map(functions.map(({ key }) => [`${key.kind.group}/${key.kind.plural}`, key.kind])).values(),
    ({ group }) => group,
  );
  return [
    ...[...byGroup].map(([group, kinds]) => ({
      apiGroups: [group],
      resources: kinds.map(({ plural }) => plural).sort(),
      verbs: ["get", "patch"],
    })),
    {
      apiGroups: [""],
      resources: ["configmaps"],
      resourceNames: [PAUSED_FUNCTIONS],
      verbs: ["get", "patch"],
    },
    // A name cannot be demanded of what is not there yet.
    { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
  ];
}

/** The rights that every host needs to know which functions are paused, in the namespace of the ConfigMap. */
export const pausedFunctionsRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["configmaps"], resourceNames: [PAUSED_FUNCTIONS], verbs: ["get"] },
];
