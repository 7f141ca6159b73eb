import { fieldsOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import { defined, type Move, specOf } from "./move.ts";

/** The defaults of admissionregistration.k8s.io/v1beta1. */
const DEFAULTS = {
  failurePolicy: "Ignore",
  matchPolicy: "Exact",
  timeoutSeconds: 30,
  admissionReviewVersions: ["v1beta1"],
};
const SIDE_EFFECTS = ["None", "NoneOnDryRun"];

/** The webhook configurations of admissionregistration.k8s.io/v1beta1. */
export const webhooks: Move = (object) => {
  const said = listOf(object.webhooks).map(fieldsOf);
  const unclear = said.find(({ sideEffects }) => !SIDE_EFFECTS.includes(textOf(sideEffects)));
  return unclear === undefined
    ? { ...object, webhooks: said.map((webhook) => ({ ...DEFAULTS, ...defined(webhook) })) }
    : `the webhook ${textOf(unclear.name)}, which does not say that it has no sideEffects`;
};

/** The signing request of certificates.k8s.io/v1beta1. */
export const signingRequest: Move = (object) => {
  const { signerName } = specOf(object);
  return signerName === undefined || signerName === "kubernetes.io/legacy-unknown"
    ? "a spec without a signerName"
    : object;
};

/** The RuntimeClass of node.k8s.io/v1alpha1. */
export const firstRuntimeClass: Move = (object) => {
  const { runtimeHandler, ...rest } = specOf(object);
  const { spec: _spec, ...fields } = object;
  return {
    ...fields,
    ...rest,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: object.metadata,
    handler: runtimeHandler,
  };
};

/** The EndpointSlice of discovery.k8s.io/v1beta1. */
export const endpointSlice: Move = (object) =>
  listOf(object.endpoints).some((endpoint) => fieldsOf(endpoint).topology !== undefined)
    ? "topology of endpoints"
    : object;

/** The priority level of flowcontrol.apiserver.k8s.io before v1beta3. */
export const priorityLevel: Move = (object) => {
  const spec = specOf(object);
  const { assuredConcurrencyShares, ...limited } = fieldsOf(spec.limited);
  return assuredConcurrencyShares === undefined
    ? object
    : {
        ...object,
        spec: { ...spec, limited: { ...limited, nominalConcurrencyShares: assuredConcurrencyShares } },
      };
};
