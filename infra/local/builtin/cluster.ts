import type { KubeObject } from "../../../shared/kube/object.ts";
import { NodeSpec, NodeStatus } from "../../../shared/kube/schema/node.ts";
import { flag, int32, keyed, oneOf, text } from "../../../shared/kube/schema/words.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ApiObject, ResourceType, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, objectAt, objectIn, objectsAt } from "./reading.ts";
import { MutatingWebhook, ValidatingWebhook } from "./schema/admission.ts";
import { PodDisruptionBudgetSpec, PodDisruptionBudgetStatus } from "./schema/policy.ts";
import { LimitRangeSpec, ResourceQuotaSpec, ResourceQuotaStatus } from "./schema/quota.ts";
import { disruptionBudgetFaults } from "./validate/disruption.ts";
import { defaultLimits, limitRangeFaults } from "./validate/limits.ts";
import { quotaFaults } from "./validate/quota.ts";

const withStatus = (status: JsonObject, faults: (spec: JsonObject) => FieldError[]): Strategy => ({
  default(object) {
    objectIn(object, "spec");
    fillIn(objectIn(object, "status"), structuredClone(status));
  },
  prepareForCreate(object) {
    object.status = structuredClone(status);
  },
  validate: (object, _previous, subresource) =>
    subresource === "status" ? [] : faults(objectAt(object, "spec")),
});

function defaultWebhooks(object: ApiObject): void {
  for (const webhook of objectsAt(object, "webhooks")) {
    fillIn(webhook, {
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      timeoutSeconds: 10,
      namespaceSelector: {},
      objectSelector: {},
    });
    if (object.kind === "MutatingWebhookConfiguration") fillIn(webhook, { reinvocationPolicy: "Never" });
    for (const rule of objectsAt(webhook, "rules")) fillIn(rule, { scope: "*" });
    const client = objectIn(webhook, "clientConfig");
    if (isObject(client.service)) fillIn(client.service, { port: 443 });
  }
}

const NODE_INFO = [
  "architecture",
  "bootID",
  "containerRuntimeVersion",
  "kernelVersion",
  "kubeProxyVersion",
  "kubeletVersion",
  "machineID",
  "operatingSystem",
  "osImage",
  "systemUUID",
];

const node: Strategy = {
  default(object) {
    objectIn(object, "spec");
    const status = objectIn(object, "status");
    fillIn(objectIn(objectIn(status, "daemonEndpoints"), "kubeletEndpoint"), { Port: 0 });
    const info = objectIn(status, "nodeInfo");
    for (const field of NODE_INFO) info[field] ??= "";
  },
  prepareForCreate(object) {
    const spec = objectIn(object, "spec");
    // Nobody may be placed there until the node's controller has seen it ready.
    const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
    const taints = objectsAt(spec, "taints");
    if (!taints.some((one) => one.key === taint.key && one.effect === taint.effect))
      spec.taints = [...taints, taint];
  },
};

const admission = {
  group: "admissionregistration.k8s.io",
  categories: ["api-extensions"],
  cluster: true,
  generation: true,
  strategy: { default: defaultWebhooks },
} as const;

/** The two that Kubernetes itself has. */
const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};
const HIGHEST_PRIORITY = 1_000_000_000;

function priorityClassFaults({ metadata: { name }, value }: KubeObject): FieldError[] {
  if (SYSTEM_PRIORITIES[name] === value) return [];
  if (name.startsWith("system-")) {
    const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
    return [fault.forbidden("metadata.name", why)];
  }
  const why = `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`;
  return Number(value) > HIGHEST_PRIORITY ? [fault.forbidden("value", why)] : [];
}

/** Kinds of the cluster's own order. Webhooks are called by `infra/local/admission`; quotas and limits are stored and shown, not enforced. */
export const cluster: readonly ResourceType[] = [
  builtIn({
    kind: "Node",
    shortNames: ["no"],
    cluster: true,
    description: "A machine that runs pods.",
    fields: { spec: NodeSpec.optional(), status: NodeStatus.optional() },
    status: true,
    selectable: ["spec.unschedulable"],
    strategy: node,
  }),
  builtIn({
    kind: "ResourceQuota",
    shortNames: ["quota"],
    description: "How much a namespace may use.",
    fields: { spec: ResourceQuotaSpec.optional(), status: ResourceQuotaStatus.optional() },
    status: true,
    strategy: withStatus({}, quotaFaults),
  }),
  builtIn({
    kind: "LimitRange",
    shortNames: ["limits"],
    description: "What pods of a namespace may ask for.",
    fields: { spec: LimitRangeSpec.optional() },
    strategy: {
      default(object) {
        for (const item of objectsAt(objectIn(object, "spec"), "limits")) defaultLimits(item);
      },
      validate: (object) => limitRangeFaults(objectAt(object, "spec")),
    },
  }),
  builtIn({
    group: "policy",
    kind: "PodDisruptionBudget",
    shortNames: ["pdb"],
    description: "How many pods must stay while nodes are emptied.",
    fields: { spec: PodDisruptionBudgetSpec.optional(), status: PodDisruptionBudgetStatus.optional() },
    status: true,
    generation: true,
    strategy: withStatus(
      { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
      disruptionBudgetFaults,
    ),
  }),
  builtIn({
    group: "scheduling.k8s.io",
    kind: "PriorityClass",
    plural: "priorityclasses",
    shortNames: ["pc"],
    cluster: true,
    generation: true,
    description: "How important pods are.",
    fields: {
      description: text.optional(),
      globalDefault: flag.optional(),
      preemptionPolicy: oneOf("Never", "PreemptLowerPriority").optional(),
      value: int32,
    },
    strategy: {
      default(object) {
        fillIn(object, { preemptionPolicy: "PreemptLowerPriority" });
      },
      validate: priorityClassFaults,
    },
  }),
  builtIn({
    ...admission,
    kind: "MutatingWebhookConfiguration",
    description: "Webhooks that change what is written.",
    fields: { webhooks: keyed(MutatingWebhook, "name").optional() },
  }),
  builtIn({
    ...admission,
    kind: "ValidatingWebhookConfiguration",
    description: "Webhooks that judge what is written.",
    fields: { webhooks: keyed(ValidatingWebhook, "name").optional() },
  }),
];
