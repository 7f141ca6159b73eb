import { matchesLabelSelector } from "../../../shared/kube/label-selector.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ApiError, badRequest, forbidden, notFound, serverFault } from "../api-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import { type Kernel, load, storedUnder, timestamp, type WriteRequest } from "../kernel.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { remove } from "./delete.ts";
import { deleteOptionsOf } from "./delete-options.ts";
import { update } from "./update.ts";

const objectIn = (object: KubeObject, name: string): JsonObject => {
  const value = object[name];
  return isObject(value) ? value : {};
};
const numberIn = (object: JsonObject, name: string): number => {
  const value = object[name];
  return typeof value === "number" ? value : 0;
};

/**
 * Deletes a pod for whoever empties its node, unless a PodDisruptionBudget forbids it (429). `eviction`: the body. What
 * a budget allows stands in its status, which a controller keeps.
 */
export function evict(kernel: Kernel, request: WriteRequest, name: string, eviction: ApiObject): void {
  const { type, namespace } = request;
  const given = isObject(eviction.metadata) ? eviction.metadata.name : undefined;
  if (given !== undefined && given !== "" && given !== name)
    throw badRequest("name in URL does not match name in Eviction object");
  const options = deleteOptionsOf(
    isObject(eviction.deleteOptions) ? eviction.deleteOptions : {},
    new URLSearchParams(),
  );
  const pod = load(kernel, type, namespace, name);
  if (pod === undefined) throw notFound(type, name);
  const dry: WriteRequest = { ...request, subresource: undefined, dryRun: request.dryRun || options.dryRun };
  if (!endsAnyway(pod)) takeFromBudget(kernel, dry, pod);
  remove(kernel, dry, name, options);
}

/** Pods that do not run are not what a budget counts. */
const endsAnyway = (pod: KubeObject): boolean =>
  pod.metadata.deletionTimestamp !== undefined ||
  ["Succeeded", "Failed", "Pending"].includes(String(objectIn(pod, "status").phase));

function takeFromBudget(kernel: Kernel, request: WriteRequest, pod: ApiObject): void {
  const budgetType = kernel.registry.find("policy", "v1", "poddisruptionbudgets");
  if (budgetType === undefined) return;
  const [budget, ...others] = kernel.store
    .list(storedUnder(budgetType), `${request.namespace}/`)
    .map(({ text }) => JSON.parse(text) as ApiObject)
    .filter((one) => matchesLabelSelector(objectIn(one, "spec").selector, pod.metadata.labels ?? {}));
  if (budget === undefined) return;
  if (others.length > 0)
    throw serverFault(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  const status = objectIn(budget, "status");
  if (mayGoUnready(pod, objectIn(budget, "spec"), status)) return;
  requireRoom(budgetType, budget, status);
  const taken = {
    ...structuredClone(budget),
    status: {
      ...status,
      disruptionsAllowed: numberIn(status, "disruptionsAllowed") - 1,
      disruptedPods: {
        ...(isObject(status.disruptedPods) ? status.disruptedPods : {}),
        [pod.metadata.name]: timestamp(kernel.clock.now()),
      },
    },
  };
  update(kernel, { ...request, type: budgetType, subresource: "status" }, budget, taken);
}

/** A pod that is not ready disturbs nobody, unless the budget is already in need. */
function mayGoUnready(pod: KubeObject, spec: JsonObject, status: JsonObject): boolean {
  const { conditions } = objectIn(pod, "status");
  const ready =
    Array.isArray(conditions) && conditions.some((one) => one.type === "Ready" && one.status === "True");
  if (ready) return false;
  const desired = numberIn(status, "desiredHealthy");
  return (
    spec.unhealthyPodEvictionPolicy === "AlwaysAllow" ||
    (numberIn(status, "currentHealthy") >= desired && desired > 0)
  );
}

function requireRoom(type: ResourceType, { metadata }: ApiObject, status: JsonObject): void {
  const refused = (message: string, retryAfterSeconds?: number): ApiError =>
    new ApiError(
      429,
      "TooManyRequests",
      "Cannot evict pod as it would violate the pod's disruption budget.",
      {
        details: {
          causes: [{ reason: "DisruptionBudget", message }],
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        },
      },
    );
  if (numberIn(status, "observedGeneration") < (metadata.generation ?? 0))
    throw refused(`The disruption budget ${metadata.name} is still being processed by the server.`, 10);
  const allowed = numberIn(status, "disruptionsAllowed");
  if (allowed < 0) throw forbidden(type, metadata.name, "pdb disruptions allowed is negative");
  if (allowed === 0)
    throw refused(
      `The disruption budget ${metadata.name} needs ${numberIn(status, "desiredHealthy")} healthy pods and has ${numberIn(status, "currentHealthy")} currently`,
    );
}
