import * as z from "zod";
import { sameJson } from "../../../shared/json/same-json.ts";
import { int64 } from "../../../shared/kube/schema/words.ts";
import {
  DaemonSetSpec,
  DaemonSetStatus,
  DeploymentSpec,
  DeploymentStatus,
  ReplicaSetSpec,
  ReplicaSetStatus,
  StatefulSetSpec,
  StatefulSetStatus,
} from "../../../shared/kube/schema/workloads.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import type { JsonObject } from "../json.ts";
import type { ApiObject, ResourceType, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { defaultClaimSpec, defaultPodTemplate } from "./pod-defaults.ts";
import { validatePodSpec } from "./pod-validation.ts";
import { fillIn, objectAt, objectIn, objectsAt, textAt } from "./reading.ts";
import { notNegative } from "./rules.ts";
import {
  daemonSetFaults,
  deploymentFaults,
  selectorFaults,
  servingTemplateFaults,
  statefulSetFaults,
} from "./validate/workload.ts";

const SCALE = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};

/** A strategy of kinds that run pods from `spec.template` for as long as they live. */
function workload(
  kind: "Deployment" | "DaemonSet" | "ReplicaSet" | "StatefulSet",
  fillSpec: (spec: JsonObject, object: ApiObject) => void,
  more: Validate = () => [],
): Strategy {
  const fill = (object: ApiObject): void => {
    const spec = objectIn(object, "spec");
    defaultPodTemplate(spec);
    fillSpec(spec, object);
    objectIn(object, "status");
  };
  return {
    default: fill,
    prepareForCreate(object) {
      object.status = {};
      fill(object);
    },
    validate(object, previous, subresource) {
      if (subresource === "status") return [];
      const spec = objectAt(object, "spec");
      const before = previous === undefined ? undefined : objectAt(previous, "spec");
      return [
        ...notNegative(spec, "replicas", "spec"),
        ...notNegative(spec, "minReadySeconds", "spec"),
        // Of a ReplicaSet the real server speaks as of a Deployment.
        ...selectorFaults(spec, before, kind === "ReplicaSet" ? "deployment" : kind.toLowerCase()),
        ...validatePodSpec(
          objectAt(objectAt(spec, "template"), "spec"),
          "spec.template.spec",
          // Of a StatefulSet: each pod gets a volume for each of them.
          objectsAt(spec, "volumeClaimTemplates").map((claim) => textAt(objectAt(claim, "metadata"), "name")),
        ),
        // A Deployment's template is judged as that of its ReplicaSets.
        ...servingTemplateFaults(spec, kind === "Deployment" ? "ReplicaSet" : kind),
        ...more(spec, before),
      ];
    },
  };
}
type Validate = (spec: JsonObject, before: JsonObject | undefined) => readonly FieldError[];

const deployment = workload(
  "Deployment",
  (spec, object) => {
    fillIn(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    const strategy = objectIn(spec, "strategy");
    fillIn(strategy, { type: "RollingUpdate" });
    if (strategy.type === "RollingUpdate")
      fillIn(objectIn(strategy, "rollingUpdate"), { maxUnavailable: "25%", maxSurge: "25%" });
    const status = objectIn(object, "status");
    if (status.replicas === 0) delete status.replicas;
  },
  deploymentFaults,
);

/** A Deployment's generation also counts changes of its annotations: the real server does so, for roll-backs of old. */
const countingDeployment: Strategy = {
  ...deployment,
  prepareForUpdate(object, previous, { subresource }) {
    if (
      subresource !== undefined ||
      sameJson(object.metadata.annotations ?? {}, previous.metadata.annotations ?? {})
    )
      return;
    object.metadata.generation = (previous.metadata.generation ?? 0) + 1;
  },
};

const statefulSet = workload(
  "StatefulSet",
  (spec, object) => {
    fillIn(spec, { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: "OrderedReady" });
    const strategy = objectIn(spec, "updateStrategy");
    fillIn(strategy, { type: "RollingUpdate" });
    if (strategy.type === "RollingUpdate") fillIn(objectIn(strategy, "rollingUpdate"), { partition: 0 });
    fillIn(objectIn(spec, "persistentVolumeClaimRetentionPolicy"), {
      whenDeleted: "Retain",
      whenScaled: "Retain",
    });
    if (spec.serviceName === undefined) spec.serviceName = "";
    for (const claim of objectsAt(spec, "volumeClaimTemplates")) {
      fillIn(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim" });
      defaultClaimSpec(objectIn(claim, "spec"));
      fillIn(objectIn(claim, "status"), { phase: "Pending" });
    }
    fillIn(objectIn(object, "status"), { replicas: 0, availableReplicas: 0 });
  },
  (spec, before) => {
    const faults = statefulSetFaults(spec);
    if (before === undefined) return faults;
    const free = new Set(STATEFUL_SET_MAY_CHANGE);
    const changed = [...new Set([...Object.keys(spec), ...Object.keys(before)])].some(
      (field) => !free.has(field) && field !== "selector" && !sameJson(spec[field], before[field]),
    );
    return changed
      ? [
          ...faults,
          fault.forbidden(
            "spec",
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
          ),
        ]
      : faults;
  },
);
const STATEFUL_SET_MAY_CHANGE = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

const replicaSet = workload("ReplicaSet", (spec, object) => {
  fillIn(spec, { replicas: 1 });
  fillIn(objectIn(object, "status"), { replicas: 0 });
});

const daemonSet = workload(
  "DaemonSet",
  (spec, object) => {
    fillIn(spec, { revisionHistoryLimit: 10 });
    const strategy = objectIn(spec, "updateStrategy");
    fillIn(strategy, { type: "RollingUpdate" });
    if (strategy.type === "RollingUpdate")
      fillIn(objectIn(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 0 });
    fillIn(objectIn(object, "status"), {
      currentNumberScheduled: 0,
      desiredNumberScheduled: 0,
      numberMisscheduled: 0,
      numberReady: 0,
    });
  },
  daemonSetFaults,
);

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/** A DaemonSet also counts the changes of its template, in an annotation from older times. */
const countingDaemonSet: Strategy = {
  ...daemonSet,
  prepareForCreate(object, context) {
    daemonSet.prepareForCreate?.(object, context);
    object.metadata.annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: "1" };
  },
  prepareForUpdate(object, previous) {
    const before = Number(previous.metadata.annotations?.[TEMPLATE_GENERATION] ?? "1");
    const changed = !sameJson(objectAt(object, "spec").template, objectAt(previous, "spec").template);
    object.metadata.annotations = {
      ...object.metadata.annotations,
      [TEMPLATE_GENERATION]: String(changed ? before + 1 : before),
    };
  },
};

const group = "apps";
const categories = ["all"];

/** apps/v1, and what came before ReplicaSets. */
export const apps: readonly ResourceType[] = [
  builtIn({
    kind: "ReplicationController",
    shortNames: ["rc"],
    categories,
    description: "What came before ReplicaSets. None is kept here: tools that look for one find none.",
    fields: { spec: z.looseObject({}).optional(), status: z.looseObject({}).optional() },
    verbs: ["delete", "deletecollection", "get", "list", "watch"],
  }),
  builtIn({
    group,
    kind: "ControllerRevision",
    description: "A snapshot of a template, kept by controllers for roll-backs.",
    fields: { data: z.looseObject({}).optional(), revision: int64.default(0) },
  }),
  builtIn({
    group,
    kind: "DaemonSet",
    shortNames: ["ds"],
    categories,
    description: "Runs a pod on every node.",
    fields: { spec: DaemonSetSpec.optional(), status: DaemonSetStatus.optional() },
    status: true,
    generation: true,
    strategy: countingDaemonSet,
  }),
  builtIn({
    group,
    kind: "Deployment",
    shortNames: ["deploy"],
    categories,
    description: "Runs pods from a template and rolls changes out.",
    fields: { spec: DeploymentSpec.optional(), status: DeploymentStatus.optional() },
    status: true,
    scale: SCALE,
    generation: true,
    strategy: countingDeployment,
  }),
  builtIn({
    group,
    kind: "ReplicaSet",
    shortNames: ["rs"],
    categories,
    description: "Keeps a number of pods from one template.",
    fields: { spec: ReplicaSetSpec.optional(), status: ReplicaSetStatus.optional() },
    status: true,
    scale: SCALE,
    generation: true,
    selectable: ["status.replicas"],
    strategy: replicaSet,
  }),
  builtIn({
    group,
    kind: "StatefulSet",
    shortNames: ["sts"],
    categories,
    description: "Runs pods that have names and storage of their own.",
    names: "label",
    fields: { spec: StatefulSetSpec.optional(), status: StatefulSetStatus.optional() },
    status: true,
    scale: SCALE,
    generation: true,
    strategy: statefulSet,
  }),
];
