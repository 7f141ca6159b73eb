import { isEmpty } from "../../../../shared/json/fields.ts";
import { matchesLabelSelector } from "../../../../shared/kube/label-selector.ts";
import type { ModuleReleaseMetaSpec } from "../../kinds/index.ts";

/** True where the releases of a module are for a Kyma with these labels: those of restricted modules are for whom they select. */
export function isFor(
  { moduleName, kymaSelector }: Pick<ModuleReleaseMetaSpec, "moduleName" | "kymaSelector">,
  labels: Readonly<Record<string, string>>,
  restrictedModules: readonly string[],
): boolean {
  // Nobody is meant by a selector of a module that nobody restricts: somebody forgot one of the two.
  if (!restrictedModules.includes(moduleName)) return kymaSelector === undefined;
  const terms = [kymaSelector?.matchLabels, kymaSelector?.matchExpressions];
  const selectsSome = terms.some((term) => term !== undefined && !isEmpty(term));
  return selectsSome && matchesLabelSelector(kymaSelector, labels);
}
