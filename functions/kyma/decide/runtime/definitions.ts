import { apply, type Effect, type Wait } from "../../../../shared/function/index.ts";
import { isTrue } from "../../../../shared/kube/conditions.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import {
  Kyma,
  LABELS,
  ModuleReleaseMeta,
  ModuleTemplate,
  RuntimeDefinition,
  runtimes,
} from "../../kinds/index.ts";
import type { DefinitionPair } from "./world.ts";

const nameOf = ({ plural, group }: { readonly plural: string; readonly group: string }): string =>
  `${plural}.${group}`;
/** The names of the definitions that each runtime gets. */
export const DEFINITIONS: readonly string[] = [Kyma, ModuleTemplate, ModuleReleaseMeta].map(nameOf);
/** The definition of Kymas: it goes last. */
export const KYMA_DEFINITION = nameOf(Kyma);

/** True where objects of the kind can be written in the runtime. */
export const isServed = ({ there }: DefinitionPair): boolean =>
  there !== undefined && !isDeleting(there) && isTrue(there.status?.conditions, "Established");

/** Copies a definition into a runtime, without the conversion that the control plane may have. */
export function copyOf(
  { name, home, there }: DefinitionPair,
  cluster: string,
): Effect<(typeof RuntimeDefinition)["id"]> | undefined {
  if (home === undefined) return undefined;
  const { conversion: _, ...copied } = home.spec;
  const spec = { ...copied, versions: [...copied.versions, ...formerVersions(home, there)] };
  return apply(
    RuntimeDefinition,
    {
      metadata: { cluster, name, labels: { [LABELS.managedBy]: "kyma" } },
      spec: { ...spec, conversion: { strategy: "None" } },
    },
    { force: true },
  );
}

/** Versions that objects of the runtime were stored in once: its server refuses a definition without them. Nobody is served one. */
function formerVersions(
  { spec }: NonNullable<DefinitionPair["home"]>,
  there: DefinitionPair["there"],
): NonNullable<DefinitionPair["home"]>["spec"]["versions"] {
  const stored = there?.status?.storedVersions ?? [];
  return (there?.spec.versions ?? [])
    .filter(({ name }) => stored.includes(name) && !spec.versions.some((one) => one.name === name))
    .map((version) => ({ ...version, served: false, storage: false }));
}

/** The wait for a definition in a runtime to change. */
export const definitionWait = (name: string, cluster: string): Wait => ({
  for: `the definition ${name} in ${cluster}`,
  object: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    name,
    cluster: runtimes.named(cluster),
  },
});
