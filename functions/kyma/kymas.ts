import { awaited, changed, each, TerminalError, unwatched } from "../../shared/function/index.ts";
import { Secret } from "../../shared/kube/kinds/index.ts";
import { isDeleting } from "../../shared/kube/objects.ts";
import { type Configuration, configuration } from "./configuration.ts";
import { kymaDeletion, observeDeletion } from "./decide/deletion/index.ts";
import { kymaOf } from "./decide/manifest/index.ts";
import { failedKyma, isConcernedBy, isWaitingFor, kymaPass, observeKyma } from "./decide/modules/index.ts";
import {
  CertificateObject,
  isNameable,
  isSet,
  KYMA_FINALIZER,
  Kyma,
  KymaPolicy,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
  PREDECESSOR_KYMA_MANAGERS,
  RuntimeDefinition,
  RuntimeKyma,
  RuntimeObject,
  runtimeKymaAt,
  runtimeOf,
  UNNAMEABLE,
} from "./kinds/index.ts";
import { components } from "./ports/components/index.ts";

const rollOut = ({ rollOutMinutes }: Configuration) => `${rollOutMinutes}m` as const;

/** One Kyma: a Manifest for each module that it is to have, by its user's wishes, policies and the catalog, and how they stand (3.1, 3.2, 3.7). */
export const kymas = each(Kyma, {
  status: [
    "state",
    "activeChannel",
    "modules",
    "lastOperation",
    "conditions.Modules",
    "conditions.MandatoryModules",
  ],
  heeds: ["object", "reachable", "definitions", "catalog", "watcher", "pullSecret"],
}).function({
  name: "kymas",
  config: configuration,
  uses: [components],
  // What its reconciler of Manifests notes on one is not given up: which artifact stands there.
  succeeds: PREDECESSOR_KYMA_MANAGERS,
  wakes: [
    changed(ModuleReleaseMeta).toEach<typeof Kyma>(
      (kyma, { name, mandatory }) => mandatory !== undefined || isConcernedBy(kyma, name),
      { same: "namespace", spread: rollOut, atOnce: (kyma, { name }) => isWaitingFor(kyma, name) },
    ),
    changed(ModuleTemplate).toEach<typeof Kyma>(
      (kyma, { moduleName }) => moduleName === undefined || isConcernedBy(kyma, moduleName),
      {
        same: "namespace",
        spread: rollOut,
        atOnce: (kyma, { moduleName = "" }) => isWaitingFor(kyma, moduleName),
      },
    ),
    changed(KymaPolicy).toEach<typeof Kyma>(() => true, { same: "namespace" }),
  ],
  owns: [Manifest],
  writes: [
    Kyma,
    awaited(RuntimeKyma, "followed while it is to be gone"),
    awaited(RuntimeDefinition, "followed while it is to be gone"),
    unwatched(RuntimeObject, "what tells of changes is taken away, and nothing waits for that"),
    unwatched(Secret, "the certificate of the runtime is taken away, and nothing waits for that"),
    unwatched(CertificateObject, "the same where others make it"),
  ],
  verbs: {
    Kyma: ["get", "list", "patch"],
    ModuleReleaseMeta: ["list"],
    ModuleTemplate: ["get", "list"],
    KymaPolicy: ["list"],
    Manifest: ["get", "list", "create", "patch", "delete"],
    Secret: ["get", "delete"],
    "certificate-object": ["get", "delete"],
    "runtime/Kyma": ["get", "patch", "delete"],
    "runtime/CustomResourceDefinition": ["get", "delete"],
    "runtime/module-object": ["get", "delete"],
  },
  adopts: { Manifest: "the Manifest of a module has the name that its Kyma gives it" },
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  observe: async ({ self, read, use, config }) => {
    const { name, namespace } = self.metadata;
    const manifests = async () =>
      isNameable(self.metadata)
        ? // One of another Kyma whose label was changed by hand is none of this one's.
          (await read.list(Manifest, { namespace, labels: { [LABELS.kymaName]: name } })).filter(
            (manifest) => kymaOf(manifest) === name,
          )
        : [];
    if (isDeleting(self))
      return {
        left: await observeDeletion(self, config, {
          manifests,
          there: () => runtimeOf(self.metadata, read, config),
          kyma: () => read.get(RuntimeKyma, runtimeKymaAt(name)),
          definition: (named) => read.get(RuntimeDefinition, { cluster: name, name: named }),
          object: (at) => read.object(RuntimeObject, { ...at, cluster: name }),
          secret: (named) => read.get(Secret, { name: named, namespace }),
          certificate: (at) => read.object(CertificateObject, at),
        }),
      };
    if (!isNameable(self.metadata)) throw new TerminalError(UNNAMEABLE, { code: "KYMA_NAME" });
    return {
      world: await observeKyma(self, config, {
        components: use(components),
        releases: () => read.list(ModuleReleaseMeta, { namespace }),
        policies: () => read.list(KymaPolicy, { namespace }),
        manifests,
        template: (named) => read.get(ModuleTemplate, { name: named, namespace }),
        templates: () => read.list(ModuleTemplate, { namespace }),
      }),
    };
  },
  reconcile: ({ self, world }, { now, config }) =>
    world === undefined ? {} : kymaPass(self, world, config, now),
  finalizer: {
    name: KYMA_FINALIZER,
    finalize: ({ self, left }, { now }) => (left === undefined ? {} : kymaDeletion(self, left, now)),
  },
  failed: ({ self }, { message }, { now }) => failedKyma(self, message, now),
});
