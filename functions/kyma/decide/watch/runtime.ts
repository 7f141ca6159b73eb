import { isLabelValue } from "../../../../shared/kube/label-value.ts";
import { CONTROL_PLANE, LABELS } from "../../kinds/index.ts";

/** An event of a runtime, as far as it names the runtime. */
interface OfRuntime {
  readonly runtimeId: string;
}

/** An object that bears the identity of its runtime: a Kyma, a Manifest. */
interface Identified {
  readonly metadata: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
}

interface Named {
  readonly metadata: { readonly name: string };
}

/** True for what belongs to the runtime that an event is of; a Kyma in another namespace than the control plane's has none. */
export const isOfRuntime = ({ metadata }: Identified, { runtimeId }: OfRuntime): boolean =>
  metadata.namespace === CONTROL_PLANE && metadata.labels[LABELS.runtimeId] === runtimeId;

/** The Kyma that such an object is or belongs to. A runtime has one: where two bear its identity, none of them is told anything. */
export const kymaIn = ({ metadata: { namespace, name, labels } }: Identified & Named): string =>
  `${namespace}/${labels[LABELS.kymaName] ?? name}`;

/** The objects that belong to the runtime that an event is of; to a name that no label can be belong none. */
export const ofRuntime = ({ runtimeId }: OfRuntime) =>
  isLabelValue(runtimeId)
    ? { namespace: CONTROL_PLANE, labels: { [LABELS.runtimeId]: runtimeId } }
    : undefined;
