import type { Wait } from "../../../shared/function/index.ts";
import { CustomResourceDefinition, Namespace, Secret } from "../../../shared/kube/kinds/index.ts";
import { apiVersionOf } from "../../../shared/kube/object.ts";
import { Kyma } from "./kyma.ts";
import { ModuleReleaseMeta } from "./module-release-meta.ts";
import { ModuleTemplate } from "./module-template.ts";
import { RUNTIME_KYMA, RUNTIME_NAMESPACE, runtimes } from "./runtime.ts";

/** The Kyma in a runtime, in which its user says which modules there are to be. */
export class RuntimeKyma extends runtimes.kind(Kyma) {}
/** A release in a runtime: a copy, so that its user sees what there is to choose. */
export class RuntimeRelease extends runtimes.kind(ModuleReleaseMeta) {}
/** A ModuleTemplate in a runtime: a copy too. */
export class RuntimeTemplate extends runtimes.kind(ModuleTemplate) {}
/** The definitions of these kinds in a runtime. */
export class RuntimeDefinition extends runtimes.kind(CustomResourceDefinition) {}
/** The Secret in a runtime with which its pods pull their images: a copy as well. */
export class RuntimeSecret extends runtimes.kind(Secret) {}
/** The namespace of all that in a runtime. */
export class RuntimeNamespace extends runtimes.kind(Namespace) {}

/** The place of the Kyma in a runtime. */
export const runtimeKymaAt = (cluster: string) => ({
  cluster,
  namespace: RUNTIME_NAMESPACE,
  name: RUNTIME_KYMA,
});

/** The wait for the Kyma of a runtime to change. */
export const runtimeKymaWait = (cluster: string): Wait => ({
  for: `the Kyma in ${cluster}`,
  object: {
    apiVersion: apiVersionOf(Kyma),
    kind: Kyma.kind,
    namespace: RUNTIME_NAMESPACE,
    name: RUNTIME_KYMA,
    cluster: runtimes.named(cluster),
  },
});
