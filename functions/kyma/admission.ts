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

/** A version that is published: not with others of its channels in a circle of requirements (DEP6). */
export const templateAdmission = admission("kyma-template-admission", ModuleTemplate, [
  "create",
  "update",
]).function({
  reads: [ModuleTemplate, ModuleReleaseMeta],
  // Kymas refuse the modules of a circle by the same rule.
  whenDown: "allow",
  webhook: { type: "Validating" },
  observe: async ({ object: { metadata }, read }) => ({
    templates: await read.list(ModuleTemplate, { namespace: metadata.namespace }),
    releases: await read.list(ModuleReleaseMeta, { namespace: metadata.namespace }),
  }),
  admit: ({ object, old, templates, releases }) => {
    const cycles = newCycles(
      { releases, templates: inPlace(templates, object, old === undefined ? [] : [old]) },
      { releases, templates: inPlace(templates, object, [object]) },
    );
    return cycles.length === 0 ? allow() : deny(cyclesText(cycles), UNPROCESSABLE);
  },
});

/** A version that a channel moves to: not into a circle of requirements with others of that channel (DEP6). */
export const releaseAdmission = admission("kyma-release-admission", ModuleReleaseMeta, [
  "create",
  "update",
]).function({
  reads: [ModuleTemplate, ModuleReleaseMeta],
  // Kymas refuse the modules of a circle by the same rule.
  whenDown: "allow",
  webhook: { type: "Validating" },
  observe: async ({ object: { metadata }, read }) => ({
    templates: await read.list(ModuleTemplate, { namespace: metadata.namespace }),
    releases: await read.list(ModuleReleaseMeta, { namespace: metadata.namespace }),
  }),
  admit: ({ object, old, templates, releases }) => {
    const cycles = newCycles(
      { templates, releases: inPlace(releases, object, old === undefined ? [] : [old]) },
      { templates, releases: inPlace(releases, object, [object]) },
    );
    return cycles.length === 0 ? allow() : deny(cyclesText(cycles), UNPROCESSABLE);
  },
});
