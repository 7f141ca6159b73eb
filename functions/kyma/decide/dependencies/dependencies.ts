import { compare } from "../../../../shared/kube/objects.ts";
import type { ModuleTemplateSpec, Requirement, WrittenRequirement } from "../../kinds/index.ts";
import { cyclesAmong } from "./cycles.ts";
import { type EnabledModule, isOfferedBy, isProvidedBy, type Offer, wordsOf } from "./module.ts";

/** The answers about what the modules of a Kyma need of each other. */
export interface Dependencies {
  /** The requirements of a version, each with the Manifests of those that provide it; without what its user looks after. */
  requires(template: Pick<ModuleTemplateSpec, "requires"> | undefined): readonly WrittenRequirement[];
  /** The cycle of requirements that a module is part of, in words; undefined: it is in none. */
  cycle(module: string): string | undefined;
  /**
   * The hard requirements of a version that no module provides which the Kyma has. A kind is one where its template names it.
   * @param misses the requirements of kinds that the runtime lacks
   */
  unprovided(
    template: Pick<ModuleTemplateSpec, "requires"> | undefined,
    misses: (required: Requirement) => boolean,
  ): readonly Requirement[];
  /** The modules that need one which goes, and that nothing else will do for. */
  dependents(going: Offer): readonly string[];
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
    unprovided: (template, misses) =>
      (template?.requires ?? []).filter(
        (required) =>
          required.optional !== true &&
          !modules.some((one) => isOfferedBy(required, one)) &&
          (required.crd === undefined || misses(required)),
      ),
    dependents: (going) =>
      modules
        .filter(({ requires }) =>
          requires.some(
            (required) =>
              required.optional !== true &&
              isOfferedBy(required, going) &&
              !modules.some((one) => isOfferedBy(required, one)),
          ),
        )
        .map(({ name }) => name),
  };
}

/** The beginning of each advice. */
const NOBODY = "Nothing that is enabled";

/** True for the message of a module that was advised to have another one enabled: what the catalog gets concerns it. */
export const isAdvice = (message: string | undefined): boolean => message?.includes(NOBODY) === true;

/**
 * The advice about a requirement that nothing provides.
 * @param candidates the modules of the catalog that would do
 */
export function adviceOn(required: Requirement, candidates: readonly string[]): string {
  const what = wordsOf(required);
  const nobody = `${NOBODY} ${required.crd === undefined ? "provides" : "brings"} ${what}`;
  if (candidates.length === 0)
    return required.module === undefined
      ? `${nobody}, and no module of the catalog says that it does.`
      : `${nobody}, and the catalog does not have it for this Kyma.`;
  return required.module === undefined
    ? `${nobody}: enable ${candidates.join(" or ")}, which does.`
    : `${nobody}: enable it, the catalog has it.`;
}
