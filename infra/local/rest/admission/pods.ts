import { forbidden } from "../../api-error.ts";
import { isObject } from "../../json.ts";
import { type Kernel, load } from "../../kernel.ts";
import type { ApiObject } from "../../resource-type.ts";
import type { Admission } from "./admission.ts";

const pods = { group: "", plural: "pods" };

/**
 * A pod runs as an account that exists, with the priority of a class that exists. The account `default` is not asked for:
 * a controller makes it, and a server may run without controllers.
 */
export const podAdmission: Admission = {
  updates: false,
  fill(kernel, object) {
    if (!isObject(object.spec)) return;
    requireAccount(kernel, object, object.spec.serviceAccountName);
    givePriority(kernel, object, object.spec);
  },
};

function requireAccount(kernel: Kernel, { metadata }: ApiObject, account: unknown): void {
  if (typeof account !== "string" || account === "" || account === "default") return;
  const type = kernel.registry.find("", "v1", "serviceaccounts");
  if (type === undefined || load(kernel, type, metadata.namespace, account) !== undefined) return;
  throw forbidden(
    pods,
    metadata.name ?? "",
    `error looking up service account ${metadata.namespace}/${account}: serviceaccount ${JSON.stringify(account)} not found`,
  );
}

function givePriority(kernel: Kernel, { metadata }: ApiObject, spec: Record<string, unknown>): void {
  const name = spec.priorityClassName;
  const found =
    typeof name === "string" && name !== "" ? classNamed(kernel, name, metadata.name) : defaultClass(kernel);
  const priority = typeof found?.value === "number" ? found.value : 0;
  // A 0 is what the pod has before its class is known.
  if (spec.priority !== undefined && spec.priority !== 0 && spec.priority !== priority)
    throw forbidden(
      pods,
      metadata.name ?? "",
      `the integer value of priority (${String(spec.priority)}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  spec.priority = priority;
  if (found === undefined) return;
  spec.priorityClassName = found.metadata.name;
  spec.preemptionPolicy = found.preemptionPolicy ?? spec.preemptionPolicy;
}

function classNamed(kernel: Kernel, name: string, pod: string | undefined): ApiObject {
  const type = kernel.registry.find("scheduling.k8s.io", "v1", "priorityclasses");
  const found = type === undefined ? undefined : load(kernel, type, undefined, name);
  if (found === undefined) throw forbidden(pods, pod ?? "", `no PriorityClass with name ${name} was found`);
  return found;
}

/** The lowest of the classes that count for all pods, as the real server chooses. */
function defaultClass(kernel: Kernel): ApiObject | undefined {
  return kernel.store
    .list("scheduling.k8s.io/priorityclasses", "")
    .map(({ text }) => JSON.parse(text) as ApiObject)
    .filter((one) => one.globalDefault === true)
    .sort((a, b) => Number(a.value) - Number(b.value))[0];
}
