import type { KubeObject } from "../../../../shared/kube/object.ts";
import { isObject } from "../../json.ts";
import { age, at, listOf, numberOf, orNone, textOf } from "./cells.ts";
import { column, type TableColumn } from "./columns.ts";

function nodeStatus(node: KubeObject): string {
  const ready = listOf(node, "status", "conditions").find((one) => one.type === "Ready");
  const words = [ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady"];
  if (at(node, "spec", "unschedulable") === true) words.push("SchedulingDisabled");
  return words.join(",");
}

const ROLE = "node-role.kubernetes.io/";
function rolesOf({ metadata }: KubeObject): string {
  const labels = Object.entries(metadata.labels ?? {});
  const roles = labels.flatMap(([name, value]) =>
    name.startsWith(ROLE) ? [name.slice(ROLE.length)] : name === "kubernetes.io/role" ? [value] : [],
  );
  return orNone([...new Set(roles)].sort().join(","));
}

const address =
  (type: string) =>
  (node: KubeObject): string =>
    orNone(
      textOf(
        listOf(node, "status", "addresses").find((one) => one.type === type),
        "address",
      ),
    );

const info =
  (field: string) =>
  (node: KubeObject): string =>
    textOf(node, "status", "nodeInfo", field);
const infoOrUnknown =
  (field: string) =>
  (node: KubeObject): string =>
    info(field)(node) || "<unknown>";

const usage =
  (list: readonly string[], of: (name: string) => boolean) =>
  (quota: KubeObject): string => {
    const hard = at(quota, ...list);
    if (!isObject(hard)) return "";
    return Object.entries(hard)
      .filter(([name]) => of(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, limit]) => `${name}: ${textOf(quota, "status", "used", name) || "0"}/${String(limit)}`)
      .join(", ");
  };
const isLimit = (name: string): boolean => name.startsWith("limits");

const webhookColumns: readonly TableColumn[] = [
  column("Webhooks", (object) => listOf(object, "webhooks").length, { type: "integer" }),
  age,
];

/** The cluster's own order. */
export const clusterColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  "/Namespace": [column("Status", (object) => textOf(object, "status", "phase")), age],
  "/Node": [
    column("Status", nodeStatus),
    column("Roles", rolesOf),
    age,
    column("Version", info("kubeletVersion")),
    column("Internal-IP", address("InternalIP"), { wide: true }),
    column("External-IP", address("ExternalIP"), { wide: true }),
    column("OS-Image", infoOrUnknown("osImage"), { wide: true }),
    column("Kernel-Version", infoOrUnknown("kernelVersion"), { wide: true }),
    column("Container-Runtime", infoOrUnknown("containerRuntimeVersion"), { wide: true }),
  ],
  "/ResourceQuota": [
    column(
      "Request",
      usage(["status", "hard"], (name) => !isLimit(name)),
    ),
    column("Limit", usage(["status", "hard"], isLimit)),
    age,
  ],
  "policy/PodDisruptionBudget": [
    column("Min Available", (object) => textOf(object, "spec", "minAvailable") || "N/A"),
    column("Max Unavailable", (object) => textOf(object, "spec", "maxUnavailable") || "N/A"),
    column("Allowed Disruptions", (object) => numberOf(object, "status", "disruptionsAllowed"), {
      type: "integer",
    }),
    age,
  ],
  "scheduling.k8s.io/PriorityClass": [
    column("Value", (object) => numberOf(object, "value"), { type: "integer" }),
    column("Global-Default", (object) => at(object, "globalDefault") === true, { type: "boolean" }),
    age,
    column("PreemptionPolicy", (object) => textOf(object, "preemptionPolicy")),
  ],
  "coordination.k8s.io/Lease": [column("Holder", (object) => textOf(object, "spec", "holderIdentity")), age],
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhookColumns,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhookColumns,
};
