import { awaited, each, on, unwatched } from "../../shared/function/index.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/index.ts";
import { configuration } from "./configuration.ts";
import { observeRuntime, runtimePass } from "./decide/runtime/index.ts";
import { isOfRuntime, kymaIn, ofRuntimeItself } from "./decide/watch/index.ts";
import {
  CONTROL_PLANE,
  InjectedSecret,
  isNameable,
  isSet,
  Kyma,
  KymaPolicy,
  LABELS,
  PREDECESSOR_MANAGERS,
  RuntimeDefinition,
  RuntimeKyma,
  RuntimeNamespace,
  RuntimeSecret,
  runtimeChanged,
  runtimeKymaAt,
  runtimeOf,
} from "./kinds/index.ts";

/** The runtime of one Kyma: its namespace, the definitions of its kinds, what its pods pull with, and the Kyma of its user (3.8). */
export const runtime = each(Kyma, {
  status: ["conditions.Reachable", "conditions.CRDsSync", "conditions.SKRImagePullSecretSync"],
  heeds: ["object", "tells"],
}).function({
  name: "kyma-runtimes",
  config: configuration,
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [on(runtimeChanged).toEach<typeof Kyma>(isOfRuntime, { where: ofRuntimeItself, sole: kymaIn })],
  reads: [
    unwatched(CustomResourceDefinition, "a new one comes with another version, which looks at every key"),
    unwatched(KymaPolicy, "what Kymas begin with is asked for once"),
    awaited(InjectedSecret, "its next content is to be in the runtime at once"),
  ],
  writes: [
    Kyma,
    unwatched(RuntimeNamespace, "nobody needs it but what lies in it"),
    awaited(RuntimeDefinition, "followed while the runtime itself does not tell of changes"),
    awaited(RuntimeSecret, "followed while the runtime itself does not tell of changes"),
    awaited(RuntimeKyma, "followed while the runtime itself does not tell of changes"),
  ],
  verbs: {
    Kyma: ["get", "patch"],
    CustomResourceDefinition: ["get"],
    KymaPolicy: ["list"],
    "injected-secret": ["get"],
    "runtime/Namespace": ["get", "create", "patch"],
    "runtime/CustomResourceDefinition": ["get", "create", "patch"],
    "runtime/Secret": ["get", "create", "patch"],
    "runtime/Kyma": ["get", "create", "patch"],
  },
  adopts: {
    "runtime/Namespace": "its name is the control plane's",
    "runtime/CustomResourceDefinition": "their names are the control plane's",
    "runtime/Secret": "the name is the configuration's, and its content the control plane's",
    "runtime/Kyma": "there is one, and it is its Kyma's",
  },
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  observe: async ({ self, read, config }) => {
    const cluster = self.metadata.name;
    const there = () => runtimeOf(self.metadata, read, config);
    if (!isNameable(self.metadata)) return { world: { step: "away" as const, there: await there() } };
    return {
      world: await observeRuntime(config, {
        there,
        homeDefinition: (name) => read.get(CustomResourceDefinition, { name }),
        definition: (name) => read.get(RuntimeDefinition, { cluster, name }),
        kyma: () => read.get(RuntimeKyma, runtimeKymaAt(cluster)),
        policies: () => read.list(KymaPolicy, { namespace: self.metadata.namespace }),
        secret: (name) =>
          read.object(InjectedSecret, { apiVersion: "v1", kind: "Secret", name, namespace: CONTROL_PLANE }),
      }),
    };
  },
  reconcile: ({ self, world }, { now, config }) => runtimePass(self, world, config.imagePullSecret, now),
});
