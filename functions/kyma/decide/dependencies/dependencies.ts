import { compare } from "../../../../shared/kube/objects.ts";
import type { ModuleTemplateSpec, Requirement, WrittenRequirement } from "../../kinds/index.ts";
import { cyclesAmong } from "./cycles.ts";
import { type EnabledModule, isProvidedBy, wordsOf } from "./module.ts";

/** The answers about what the modules of a Kyma need of each other. */
export interface Dependencies {
  /** The requirements of a version, each with the Manifests of those that provide it; without what its user looks after. */
  requires(template: Pick<ModuleTemplateSpec, "requires"> | undefined): readonly WrittenRequirement[];
  /** The cycle of requirements that a module is part of, in words; undefined: it is in none. */
  cycle(module: string): string | undefined;
  /** The hard requirements of a version that no module provides which the Kyma has. */
  unprovided(template: Pick<ModuleTemplateSpec, "requires"> | undefined): readonly Requirement[];
  /** The modules that need one which goes, and that nothing else will do for. */
  dependents(going: Pick<EnabledModule, "name" | "provides">): readonly string[];
}

/** The answers for the modules that a Kyma has. */
export function dependenciesAmong(modules: readonly EnabledModule[]): Dependencies {
  const cycles = cyclesAmong(modules);
  const providers = (required: Requirement) => modules.filter((one) => isProvidedBy(required, one));
  return {
    requires: (template) =>
      (template?.requires ?? []).flatMap((required) => {
        if (required.crd !== undefined) return [required];
        const found = providers(required);
        if (found.some(({ isLeft }) => isLeft)) return [];
        return [{ ...required, of: found.flatMap(({ manifest = [] }) => manifest).toSorted(compare) }];
      }),
    cycle(module) {
      const way = cycles.get(module);
      return (
        way &&
        `It needs itself: ${way.join(" → ")}. Make one of these requirements optional, or disable one of the modules.`
      );
    },
    unprovided: (template) =>
      (template?.requires ?? []).filter((required) => isHard(required) && providers(required).length === 0),
    dependents: (going) =>
      modules
        .filter(({ requires }) =>
          requires.some(
            (required) =>
              isHard(required) && isProvidedBy(required, going) && providers(required).length === 0,
          ),
        )
        .map(({ name }) => name),
  };
}

/** True for what a module of the Kyma is to provide, without which the other is not installed. */
const isHard = ({ crd, optional }: Requirement): boolean => crd === undefined && optional !== true;

/** The advice about a requirement that nothing provides. `isKnown`: whether the catalog has that module. */
export function adviceOn(required: Requirement, isKnown: boolean): string {
  const nobody = `Nothing that is enabled provides ${wordsOf(required)}`;
  if (required.module === undefined) return `${nobody}: enable a module that does.`;
  return isKnown
    ? `${nobody}: enable it, the catalog has it.`
    : `${nobody}, and the catalog does not have it.`;
}
