import { type Fields, fieldsOf, isRecord, listOf } from "../../../../../shared/json/fields.ts";
import { chain, each, filled } from "./fill.ts";
import { podTemplate } from "./pod.ts";

/** Completes the body of one kind. */
export type Complete = (body: Fields) => Fields;

const body =
  (complete: (value: unknown) => unknown): Complete =>
  (value) =>
    fieldsOf(complete(value));

const HTTPS_PORT = 443;

const ports = { ports: each(filled({ protocol: "TCP" })) };
const networkPolicySpec = (value: unknown): unknown => {
  const spec = fieldsOf(value);
  const types = ["Ingress", ...(listOf(spec.egress).length > 0 ? ["Egress"] : [])];
  return filled(
    { policyTypes: types },
    { ingress: each(filled({}, ports)), egress: each(filled({}, ports)) },
  )(spec);
};
export const networkPolicy = body(filled({}, { spec: networkPolicySpec }));

const webhook = {
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};
const webhookParts = {
  rules: each(filled({ scope: "*" })),
  clientConfig: filled({}, { service: filled({ port: HTTPS_PORT }) }),
};
export const validatingWebhooks = body(filled({}, { webhooks: each(filled(webhook, webhookParts)) }));
export const mutatingWebhooks = body(
  filled({}, { webhooks: each(filled({ ...webhook, reinvocationPolicy: "Never" }, webhookParts)) }),
);

export const priorityClass = body(filled({ preemptionPolicy: "PreemptLowerPriority" }));
export const storageClass = body(filled({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }));
export const flowSchema = body(filled({}, { spec: filled({ matchingPrecedence: 1000 }) }));
export const apiService = body(filled({}, { spec: filled({}, { service: filled({ port: HTTPS_PORT }) }) }));

const withoutStatus = (value: unknown): unknown => {
  const { status: _status, ...claim } = fieldsOf(value);
  return claim;
};
const claims = each(
  chain(
    withoutStatus,
    filled(
      { apiVersion: "v1", kind: "PersistentVolumeClaim" },
      { spec: filled({ volumeMode: "Filesystem" }) },
    ),
  ),
);
export const statefulSet = body(
  filled(
    {},
    {
      spec: filled(
        {
          replicas: 1,
          podManagementPolicy: "OrderedReady",
          revisionHistoryLimit: 10,
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
        },
        { template: podTemplate, volumeClaimTemplates: claims },
      ),
    },
  ),
);

export const secret: Complete = (value) => ({ type: "Opaque", ...value });

/** A secret's texts as bytes: the server writes them down so and forgets that they were texts. */
export const secretBytes: Complete = ({ stringData, ...fields }) => {
  if (!isRecord(stringData)) return fields;
  const bytes = Object.fromEntries(
    Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString("base64")]),
  );
  return { ...fields, data: { ...fieldsOf(fields.data), ...bytes } };
};
