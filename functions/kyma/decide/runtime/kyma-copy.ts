import type { Obj } from "../../../../shared/function/index.ts";
import {
  ANNOTATIONS,
  type Kyma,
  type KymaStatus,
  LABELS,
  type ModuleStatus,
  RUNTIME_NAMESPACE,
  runtimeKymaAt,
} from "../../kinds/index.ts";

type Home = Obj<typeof Kyma>;

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
