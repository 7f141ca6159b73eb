import {
  apply,
  type Effects,
  type Obj,
  type Results,
  remove,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import {
  type Kyma,
  ModuleReleaseMeta,
  ModuleTemplate,
  RUNTIME_NAMESPACE,
  RuntimeRelease,
  RuntimeTemplate,
  runtimes,
} from "../../kinds/index.ts";
import { conditionsOf, good, lacking, tellsOfChanges, type Verdict } from "../conditions/index.ts";
import { isRefused, triedAgain } from "../manifest/index.ts";
import { type CatalogCopy, copiesFor } from "./copies.ts";
import type { CatalogWorld } from "./world.ts";

type Target = (typeof RuntimeRelease)["id"] | (typeof RuntimeTemplate)["id"];
const TYPE = "ModuleCatalog";

/** Decides which objects of the catalog a runtime has: copies of those that its user may see (3.8). */
export function catalogPass(
  self: Obj<typeof Kyma>,
  world: CatalogWorld,
  { restrictedModules }: { readonly restrictedModules: readonly string[] },
  now: Time,
) {
  if (world.step === "local") return {};
  const status = (verdict: Verdict<typeof TYPE>) => ({
    conditions: conditionsOf(self.status, [TYPE], [verdict], now),
  });
  if (world.step === "early")
    return { status: status(lacking(TYPE, "The definitions of the catalog are not in the runtime yet.")) };
  if (world.step === "away") return { waitingFor: [world.there.wait] };
  if (world.step === "refused")
    return {
      status: status(
        lacking(TYPE, `The catalog in the runtime cannot be looked at: ${world.refused.message}`),
      ),
      waitingFor: [world.there.wait],
      wakeAt: triedAgain(world.refused, now),
    };
  const { there, releases, templates, copiedReleases, copiedTemplates } = world;
  const { cluster } = there;
  const { releases: offered, templates: versions } = copiesFor(self, releases, templates, restrictedModules);
  const effects: Effects<Target> = [
    // A version is there before the release that names it.
    ...versions.map((copy) => apply(RuntimeTemplate, bodyOf(copy, cluster), { force: true })),
    ...offered.map((copy) => apply(RuntimeRelease, bodyOf(copy, cluster), { force: true })),
    ...unwanted(copiedTemplates, versions).map((one) => remove(RuntimeTemplate, one)),
    ...unwanted(copiedReleases, offered).map((one) => remove(RuntimeRelease, one)),
  ];
  return {
    effects,
    conclude: (results: Results) => {
      const [failure] = results.failed;
      const refused = results.failed.find(({ error }) => isRefused(error))?.error;
      const isNamespaceless = results.failed.some(({ error }) => error.code === "KUBE_MISSING");
      const heard = [there.wait, ...(isNamespaceless ? [namespaceWait(cluster)] : [])];
      return {
        status: status(failure === undefined ? good(TYPE) : lacking(TYPE, failure.error.message)),
        ...(refused === undefined ? { retry: true } : { wakeAt: triedAgain(refused, now) }),
        waitingFor: tellsOfChanges(self.status)
          ? heard
          : [
              ...heard,
              ...versions.map(({ name }) => copyWait(ModuleTemplate, name, cluster)),
              ...offered.map(({ name }) => copyWait(ModuleReleaseMeta, name, cluster)),
            ],
      };
    },
  };
}

const bodyOf = <Spec>({ name, labels, annotations, spec }: CatalogCopy<Spec>, cluster: string) => ({
  metadata: { cluster, namespace: RUNTIME_NAMESPACE, name, labels, annotations },
  spec,
});

const unwanted = <O extends Obj<typeof RuntimeRelease> | Obj<typeof RuntimeTemplate>>(
  copied: readonly O[],
  wanted: readonly { readonly name: string }[],
): readonly O[] => {
  const names = new Set(wanted.map(({ name }) => name));
  return copied.filter((one) => !names.has(one.metadata.name) && !isDeleting(one));
};

/** The wait for the namespace of the copies: somebody deleted it, and it is made anew. */
const namespaceWait = (cluster: string): Wait => ({
  for: `the namespace ${RUNTIME_NAMESPACE} in ${cluster}`,
  object: { apiVersion: "v1", kind: "Namespace", name: RUNTIME_NAMESPACE, cluster: runtimes.named(cluster) },
});

/** The wait for a copy to be changed by somebody. */
const copyWait = (
  kind: typeof ModuleTemplate | typeof ModuleReleaseMeta,
  name: string,
  cluster: string,
): Wait => ({
  for: `the ${kind.kind} ${name} in ${cluster}`,
  object: {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    namespace: RUNTIME_NAMESPACE,
    name,
    cluster: runtimes.named(cluster),
  },
});
