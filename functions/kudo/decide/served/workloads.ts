import { fieldOf, fieldsOf } from "../../../../shared/json/fields.ts";
import { defined, inTurn, lacks, type Move, meant, specOf, withSpec } from "./move.ts";

/** The selector that servers took from the labels of the pod template. */
const selected: Move = (object) => {
  const spec = specOf(object);
  if (spec.selector !== undefined && spec.selector !== null) return object;
  const labels = fieldOf(fieldOf(spec.template, "metadata"), "labels");
  return labels === undefined
    ? "a spec without a selector, where the pod template has no labels"
    : withSpec(object, { ...spec, selector: { matchLabels: labels } });
};

/** A rollout replaced one pod at a time, where it was not said otherwise. */
const onePodAtATime: Move = (object) => {
  const spec = specOf(object);
  const strategy = fieldsOf(spec.strategy);
  if (strategy.type === "Recreate") return object;
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 1, ...defined(fieldsOf(strategy.rollingUpdate)) };
  return withSpec(object, { ...spec, strategy: { type: "RollingUpdate", ...strategy, rollingUpdate } });
};

const ON_DELETE = { updateStrategy: { type: "OnDelete" } };

/** The Deployment of extensions/v1beta1. */
export const extensionsDeployment = inTurn(lacks("spec.rollbackTo"), selected, onePodAtATime);
/** The Deployment of apps/v1beta1, whose defaults were those of today. */
export const firstDeployment = inTurn(lacks("spec.rollbackTo"), selected);
/** The StatefulSet of apps/v1beta1. */
export const firstStatefulSet = inTurn(selected, meant(ON_DELETE));
/** The DaemonSet of extensions/v1beta1. */
export const extensionsDaemonSet = inTurn(lacks("spec.templateGeneration"), selected, meant(ON_DELETE));
/** The DaemonSet of apps/v1beta2. */
export const secondDaemonSet = lacks("spec.templateGeneration");
/** The ReplicaSet of extensions/v1beta1. */
export const extensionsReplicaSet = selected;

/** An empty selector meant no pod, and now means every one. */
export const disruptionBudget: Move = (object) => {
  const { selector } = specOf(object);
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const isEmpty = [matchLabels, matchExpressions].every(
    (part) => part === undefined || part === null || Object.keys(part).length === 0,
  );
  return selector !== undefined && selector !== null && isEmpty
    ? "an empty spec.selector, which meant no pod and would mean all"
    : object;
};
