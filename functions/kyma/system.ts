import { defineSystem } from "../../shared/function/index.ts";
import { releaseAdmission, templateAdmission } from "./admission.ts";
import { authority } from "./authority.ts";
import { catalog } from "./catalog.ts";
import { configuration } from "./configuration.ts";
import { listener } from "./decide/watch/index.ts";
import { PREDECESSORS } from "./kinds/index.ts";
import { kymas } from "./kymas.ts";
import { manifests } from "./manifests.ts";
import { policies } from "./policies.ts";
import { releaseDeletion } from "./release-deletion.ts";
import { runtime } from "./runtime.ts";
import { statuses } from "./statuses.ts";
import { suspended } from "./suspended.ts";
import { watch } from "./watch.ts";
import { watcherInstall } from "./watcher-install.ts";
import { watchers } from "./watchers.ts";

/** The modules of clusters: which ones each is to have, in which version. */
export const kyma = defineSystem({
  name: "kyma",
  description: "Brings modules into clusters, and keeps them in the versions that a catalog says.",
  config: configuration,
  functions: [
    kymas,
    manifests,
    runtime,
    statuses,
    catalog,
    policies,
    releaseDeletion,
    suspended,
    watcherInstall,
    watch,
    authority,
    watchers,
  ],
  triggers: [listener],
  admissions: [templateAdmission, releaseAdmission],
  predecessors: PREDECESSORS,
  admits: (config) => ({
    "runtime/module-object": config.moduleKinds,
    "certificate-object": config.certificateKinds,
    "injected-secret": config.injectedSecrets,
  }),
  clusters: (config) => ({ runtime: config.target }),
  onlyWhenNamed: "it is for control planes of Kyma, and another operator may hold these objects",
});
