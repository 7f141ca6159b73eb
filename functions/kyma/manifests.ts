import { awaited, changed, each, on } from "../../shared/function/index.ts";
import { configuration } from "./configuration.ts";
import {
  broughtLost,
  failedManifest,
  hasLostKind,
  manifestDeletion,
  manifestPass,
  mayConcern,
  observeManifest,
} from "./decide/manifest/index.ts";
import { isOfRuntime, kymaIn, ofRuntime } from "./decide/watch/index.ts";
import {
  CONTROL_PLANE,
  FORMER_MANIFEST_FINALIZERS,
  InjectedSecret,
  isNameable,
  isSet,
  Kyma,
  LABELS,
  MANIFEST_FINALIZER,
  Manifest,
  PREDECESSOR_MANAGERS,
  RuntimeObject,
  runtimeChanged,
  runtimeOf,
} from "./kinds/index.ts";
import { components } from "./ports/components/index.ts";
import { trustedHandlers } from "./ports/trusted-handlers/index.ts";

/** One module in one runtime: its artifact's objects, recorded before they are applied, and its default configuration object (3.3). */
export const manifests = each(Manifest).function({
  name: "kyma-manifests",
  config: configuration,
  uses: [components, trustedHandlers],
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    changed(Kyma).toEach((manifest, kyma) => manifest.metadata.labels[LABELS.kymaName] === kyma.name, {
      same: "namespace",
      where: (kyma) =>
        isNameable(kyma)
          ? { namespace: kyma.namespace, labels: { [LABELS.kymaName]: kyma.name } }
          : undefined,
      // Manifests wait for the definitions in the runtime, and for the mark that comes after them.
      when: (kyma) =>
        kyma.gone ||
        kyma.was === undefined ||
        (kyma.definitions?.status === "True" && kyma.was.definitions?.status !== "True"),
    }),
    changed(Manifest).toEach((manifest, other) => broughtLost(manifest, other), {
      same: "namespace",
      where: ({ namespace, kymaName = "" }) => ({ namespace, labels: { [LABELS.kymaName]: kymaName } }),
      when: ({ was, ...now }) => hasLostKind(now, was),
    }),
    on(runtimeChanged).toEach<typeof Manifest>(
      (manifest, event) => isOfRuntime(manifest, event) && mayConcern(manifest, event.watched),
      { where: ofRuntime, sole: kymaIn },
    ),
  ],
  reads: [awaited(InjectedSecret, "followed as long as a module has its content")],
  writes: [
    Manifest,
    awaited(RuntimeObject, "followed while a module waits for it to be there, ready or gone"),
  ],
  verbs: {
    Kyma: ["get"],
    Manifest: ["get", "list", "patch", "delete"],
    "runtime/module-object": ["get", "list", "create", "patch", "delete"],
    "injected-secret": ["get"],
  },
  adopts: { "runtime/module-object": "what an artifact names is the module's, whoever made it" },
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  net: "30m",
  observe: async ({ self, read, use, config }) => ({
    world: await observeManifest(
      self,
      {
        components: use(components),
        handlers: use(trustedHandlers),
        kyma: (at) => read.get(Kyma, at),
        manifest: (at) => read.get(Manifest, at),
        manifests: ({ kyma, namespace }) =>
          read.list(Manifest, { namespace, labels: { [LABELS.kymaName]: kyma } }),
        there: (name) => runtimeOf({ name, namespace: self.metadata.namespace }, read, config),
        object: (at) => read.object(RuntimeObject, at),
        objects: (of) => read.objects(RuntimeObject, of),
        knows: (of) => read.knows(RuntimeObject, of),
        secret: (name) =>
          read.object(InjectedSecret, { apiVersion: "v1", kind: "Secret", name, namespace: CONTROL_PLANE }),
      },
      config,
    ),
  }),
  reconcile: ({ self, world }, { now }) => manifestPass(self, world, now),
  finalizer: {
    name: MANIFEST_FINALIZER,
    succeeds: FORMER_MANIFEST_FINALIZERS,
    finalize: ({ self, world }, { now }) => manifestDeletion(self, world, now),
  },
  failed: ({ self }, { message }, { now }) => failedManifest(self, message, now),
});
