import { type Effects, type Obj, own } from "../../../../shared/function/index.ts";
import { sameJson } from "../../../../shared/json/same-json.ts";
import { ANNOTATIONS, type Kyma, LABELS, Manifest } from "../../kinds/index.ts";
import { dependencyAnnotations, keptCapabilities, keptRequirements } from "../dependencies/index.ts";
import type { Answers } from "./answers.ts";

const { kymaName, moduleName, managedBy, runtimeId, channel, mandatoryModule } = LABELS;
const OWN_LABELS = [kymaName, moduleName, managedBy, runtimeId, channel, mandatoryModule];
const OWN_ANNOTATIONS = [ANNOTATIONS.ocmComponentName, ANNOTATIONS.fqdn, ANNOTATIONS.trustedHandler];

/**
 * Tells a Manifest that stays as it is who provides by now what its module requires: others come and go while it waits for its window, or for the
 * catalog.
 */
export function withProviders(
  self: Obj<typeof Kyma>,
  manifest: Obj<typeof Manifest>,
  { dependencies, installedTemplate }: Pick<Answers, "dependencies" | "installedTemplate">,
): Effects<"Manifest"> {
  const kept = keptRequirements(manifest);
  // Without its template only the Manifest tells what it requires.
  const requires = dependencies.requires(installedTemplate(manifest)?.spec ?? { requires: [...kept] });
  if (sameJson(kept, requires)) return [];
  const { name, labels, annotations } = manifest.metadata;
  const body = {
    metadata: {
      name,
      labels: picked(labels, OWN_LABELS),
      annotations: {
        ...picked(annotations, OWN_ANNOTATIONS),
        ...dependencyAnnotations(requires, keptCapabilities(manifest)),
      },
    },
    ...(manifest.spec !== undefined && { spec: manifest.spec }),
  };
  return own(self, Manifest, body, { force: true });
}

const picked = (
  from: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
