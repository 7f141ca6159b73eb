import { isEmpty, isRecord } from "../../../../../shared/json/fields.ts";
import { canonicalQuantity } from "../../../../../shared/kube/quantity.ts";

/** Maps of texts: each entry counts, an empty text too; without entries they are absent. */
const MAPS = new Set([
  "annotations",
  "labels",
  "matchLabels",
  "nodeSelector",
  "limits",
  "requests",
  "data",
  "binaryData",
  "volumeAttributes",
]);
const QUANTITIES = new Set(["limits", "requests"]);
/** Stored as absence where they are false or zero: in the server they are no pointers. */
const OMITTED = new Set([
  "chapAuthDiscovery",
  "chapAuthSession",
  "healthCheckNodePort",
  "hostIPC",
  "hostNetwork",
  "hostPID",
  "hostPort",
  "initialDelaySeconds",
  "minReadySeconds",
  "nodePort",
  "partition",
  "paused",
  "publishNotReadyAddresses",
  "readOnly",
  "sslEnabled",
  "stdin",
  "stdinOnce",
  "tty",
]);

const isNothing = (name: string, value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (MAPS.has(name) && isEmpty(value)) ||
  (OMITTED.has(name) && (value === false || value === 0));

function plainField(name: string, value: unknown): unknown {
  if (QUANTITIES.has(name) && isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([resource, amount]) => [resource, canonicalQuantity(amount) ?? amount]),
    );
  if (name === "sizeLimit" || name === "divisor" || name === "storage")
    return canonicalQuantity(value) ?? value;
  return MAPS.has(name) ? value : plain(value);
}

/**
 * A workload's or a service's fields as the server writes them down: without null, empty texts and lists, and what it omits at zero;
 * quantities in their own spelling.
 */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => {
      const stored = plainField(name, child);
      return isNothing(name, stored) ? [] : [[name, stored]];
    }),
  );
}
