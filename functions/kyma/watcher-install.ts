import { awaited, changed, each, on, unwatched } from "../../shared/function/index.ts";
import { Secret } from "../../shared/kube/kinds/index.ts";
import { configuration } from "./configuration.ts";
import { installPass, observeInstall, SELECTOR } from "./decide/webhook/index.ts";
import {
  authorityChanged,
  CertificateObject,
  isSet,
  Kyma,
  LABELS,
  RUNTIME_NAMESPACE,
  RuntimeObject,
  runtimeChanged,
  runtimeOf,
  Watcher,
} from "./kinds/index.ts";
import { issuer } from "./ports/issuer/index.ts";

/** The program in one runtime that tells of its changes, and the certificate that it shows both sides (4.2, 4.3, 4.6). */
export const watcherInstall = each(Kyma, {
  status: ["conditions.SKRWebhook"],
  heeds: ["runtimeId", "domain", "skipped", "definitions", "tells"],
}).function({
  name: "kyma-watcher",
  config: configuration,
  uses: [issuer],
  wakes: [
    changed(Watcher).toEach<typeof Kyma>(() => true, { same: "namespace", spread: "1m" }),
    on(authorityChanged).toEach<typeof Kyma>(
      ({ metadata }, { namespace }) => metadata.namespace === namespace,
      { where: ({ namespace }) => ({ namespace }) },
    ),
  ],
  writes: [
    Kyma,
    unwatched(
      Secret,
      "nobody else writes the certificate, its end is a deadline, and a new authority is told",
    ),
    awaited(CertificateObject, "followed as long as others make the certificate"),
    awaited(
      RuntimeObject,
      "the Deployment is followed until it is heard, and its Pods while it is not available",
    ),
  ],
  verbs: {
    Kyma: ["get", "patch"],
    Watcher: ["list"],
    Secret: ["get", "create", "patch", "delete"],
    "certificate-object": ["get", "create", "patch"],
    "runtime/module-object": ["get", "list", "create", "patch"],
  },
  adopts: {
    Secret: "it has the name that its Kyma gives it",
    "certificate-object": "it has the name that its Kyma gives it",
    "runtime/module-object": "the program's names are the control plane's",
  },
  emits: [runtimeChanged],
  paused: ({ self }) => isSet(self.metadata.labels, LABELS.skipReconciliation),
  // No webhook is asked about registrations of webhooks: a runtime that lost its own goes on saying that it is alive.
  net: "30m",
  observe: async ({ self, read, config }) => {
    const { name, namespace } = self.metadata;
    return {
      world: await observeInstall(self, config.watcher, config.target === "local", {
        watchers: () => read.list(Watcher, { namespace }),
        there: () => runtimeOf(self.metadata, read, config),
        secret: (of) => read.get(Secret, { name: of, namespace }),
        pods: () =>
          read.objects(RuntimeObject, {
            apiVersion: "v1",
            kind: "Pod",
            cluster: name,
            namespace: RUNTIME_NAMESPACE,
            labels: SELECTOR,
          }),
      }),
    };
  },
  reconcile: ({ self, world }, { now, config }) => installPass(self, world, now, config.imagePullSecret),
});
