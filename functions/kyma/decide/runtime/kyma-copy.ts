import type { Obj, Wait } from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import {
  ANNOTATIONS,
  Kyma,
  type KymaStatus,
  LABELS,
  type ModuleStatus,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
  runtimes,
} from "../../kinds/index.ts";

type Home = Obj<typeof Kyma>;

/** The place of the Kyma in a runtime. */
export const runtimeKymaAt = (cluster: string) => ({
  cluster,
  namespace: RUNTIME_NAMESPACE,
  name: RUNTIME_KYMA,
});

const CARRIED = [LABELS.runtimeId, LABELS.globalAccountId, LABELS.subaccountId] as const;
/** The metadata of the Kyma in a runtime. */
export function copiedMetadata({ metadata: { name, namespace, labels } }: Home) {
  const carried = CARRIED.flatMap((label) =>
    labels[label] === undefined ? [] : [[label, labels[label]] as const],
  );
  return {
    ...runtimeKymaAt(name),
    labels: { [LABELS.watchedBy]: "kyma", [LABELS.managedBy]: "kyma", ...Object.fromEntries(carried) },
    annotations: { [ANNOTATIONS.ownedBy]: `${namespace}/${name}` },
  };
}

/** The status as its user sees it in the runtime: Manifests are the control plane's affair, and templates lie elsewhere there. */
export function copiedStatus(status: KymaStatus): KymaStatus {
  const { modules, ...rest } = status;
  return { ...rest, ...(modules !== undefined && { modules: modules.map(copiedModule) }) };
}
function copiedModule({ manifest: _, template, ...rest }: ModuleStatus): ModuleStatus {
  if (template === undefined) return rest;
  const { metadata } = template;
  return { ...rest, template: { ...template, metadata: { ...metadata, namespace: RUNTIME_NAMESPACE } } };
}

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
