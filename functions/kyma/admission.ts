import { admission, allow, deny } from "../../shared/function/index.ts";
import { cyclesText, newCycles } from "./decide/dependencies/index.ts";
import { ModuleReleaseMeta, ModuleTemplate } from "./kinds/index.ts";

/** The code of a catalog that cannot be installed. */
const UNPROCESSABLE = 422;

/** The object in place of the stored one of its name. */
const inPlace = <T extends { readonly metadata: { readonly name: string } }>(
  all: readonly T[],
  { metadata: { name } }: T,
  now: readonly T[],
): readonly T[] => [...all.filter((one) => one.metadata.name !== name), ...now];

const ASKED = {
  reads: [ModuleTemplate, ModuleReleaseMeta],
  // Kymas refuse the modules of a circle by the same rule.
  whenDown: "allow",
  webhook: { type: "Validating" },
} as const;

/** The refusal of a catalog that becomes another one; undefined: no circle is new in it. */
function refusalOf(...catalogs: Parameters<typeof newCycles>) {
  const cycles = newCycles(...catalogs);
  return cycles.length === 0 ? undefined : deny(cyclesText(cycles), UNPROCESSABLE);
}

/** A version that is published: not with others of its channels in a circle of requirements (DEP6). */
export const templateAdmission = admission("kyma-template-admission", ModuleTemplate, [
  "create",
  "update",
]).function({
  ...ASKED,
  observe: async ({ object: { metadata }, read }) => ({
    templates: await read.list(ModuleTemplate, { namespace: metadata.namespace }),
    releases: await read.list(ModuleReleaseMeta, { namespace: metadata.namespace }),
  }),
  admit: ({ object, old, templates, releases }) => {
    const refusal = refusalOf(
      { releases, templates: inPlace(templates, object, old === undefined ? [] : [old]) },
      { releases, templates: inPlace(templates, object, [object]) },
    );
    return refusal ?? allow();
  },
});

/** A version that a channel moves to: not into a circle of requirements with others of that channel (DEP6). */
export const releaseAdmission = admission("kyma-release-admission", ModuleReleaseMeta, [
  "create",
  "update",
]).function({
  ...ASKED,
  observe: async ({ object: { metadata }, read }) => ({
    templates: await read.list(ModuleTemplate, { namespace: metadata.namespace }),
    releases: await read.list(ModuleReleaseMeta, { namespace: metadata.namespace }),
  }),
  admit: ({ object, old, templates, releases }) => {
    const refusal = refusalOf(
      { templates, releases: inPlace(releases, object, old === undefined ? [] : [old]) },
      { templates, releases: inPlace(releases, object, [object]) },
    );
    return refusal ?? allow();
  },
});
