import { sameJson } from "../../../shared/json/same-json.ts";
import { PodSpec } from "../../../shared/kube/schema/pod-spec.ts";
import { PodStatus } from "../../../shared/kube/schema/pod-status.ts";
import { PodTemplateSpec } from "../../../shared/kube/schema/workloads.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ResourceType, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { defaultPod, defaultPodSpec, defaultPodTemplate } from "./pod-defaults.ts";
import { validatePodSpec } from "./pod-validation.ts";
import { objectAt, objectIn, objectsAt, textsAt } from "./reading.ts";

/** Guaranteed: every container's limits equal its requests, for CPU and memory. BestEffort: none asks for anything. */
function qualityOf(spec: JsonObject): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = [...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")];
  const counted = (container: JsonObject, list: string): Readonly<Record<string, string>> => {
    const { cpu, memory } = textsAt(objectAt(container, "resources"), list);
    return {
      ...(cpu === undefined || cpu === "0" ? {} : { cpu }),
      ...(memory === undefined || memory === "0" ? {} : { memory }),
    };
  };
  const all = containers.map(
    (container) => [counted(container, "limits"), counted(container, "requests")] as const,
  );
  if (
    all.every(([limits, requests]) => Object.keys(limits).length === 0 && Object.keys(requests).length === 0)
  )
    return "BestEffort";
  return all.every(([limits, requests]) => Object.keys(limits).length === 2 && sameJson(limits, requests))
    ? "Guaranteed"
    : "Burstable";
}

const pod: Strategy = {
  default(object) {
    const spec = objectIn(object, "spec");
    defaultPodSpec(spec);
    defaultPod(spec);
    objectIn(object, "status");
  },
  prepareForCreate(object) {
    object.status = { phase: "Pending", qosClass: qualityOf(objectAt(object, "spec")) };
  },
  validate(object, previous, subresource) {
    if (subresource === "status") return [];
    const spec = objectAt(object, "spec");
    return [
      ...validatePodSpec(spec, "spec"),
      ...(previous === undefined ? [] : validateUpdate(spec, objectAt(previous, "spec"))),
    ];
  },
};

/** The faults of an update of a pod's spec: little may change; a scheduler may still set the node. */
function validateUpdate(spec: JsonObject, before: JsonObject): FieldError[] {
  const withoutFree = (of: JsonObject): JsonObject => {
    const copy = structuredClone(of);
    for (const field of [
      "activeDeadlineSeconds",
      "terminationGracePeriodSeconds",
      "tolerations",
      "schedulingGates",
    ])
      delete copy[field];
    if (before.nodeName === undefined) delete copy.nodeName;
    for (const list of ["containers", "initContainers"])
      for (const container of objectsAt(copy, list)) delete container.image;
    return copy;
  };
  return sameJson(withoutFree(spec), withoutFree(before))
    ? []
    : [
        fault.forbidden(
          "spec",
          "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
        ),
      ];
}

/** Pods and their templates. */
export const pods: readonly ResourceType[] = [
  builtIn({
    kind: "Pod",
    shortNames: ["po"],
    categories: ["all"],
    description: "Containers that run together on one node.",
    fields: { spec: PodSpec.optional(), status: PodStatus.optional() },
    status: true,
    generation: true,
    selectable: [
      "spec.nodeName",
      "spec.restartPolicy",
      "spec.schedulerName",
      "spec.serviceAccountName",
      "spec.hostNetwork",
      "status.phase",
      "status.podIP",
      "status.nominatedNodeName",
    ],
    strategy: pod,
  }),
  builtIn({
    kind: "PodTemplate",
    description: "A template of pods, kept by itself.",
    fields: { template: PodTemplateSpec.optional() },
    generation: true,
    strategy: {
      default(object) {
        if (isObject(object.template)) defaultPodTemplate(object);
      },
    },
  }),
];
