import { isSame } from "../../../../shared/json/differences.ts";
import { isEmpty, isRecord } from "../../../../shared/json/fields.ts";
import { sameQuantity } from "../../../../shared/kube/quantity.ts";

/** True where a value that is no map and no list stands as it was sent. `path` are the names of the fields down to it. */
export type Stands = (there: unknown, wanted: unknown, path: readonly string[]) => boolean;

/** Groups whose objects an aggregated API server keeps, as Go writes them. */
const AGGREGATED = new Set(
  ["apps", "authorization", "build", "image", "oauth", "project", "quota", "route", "template", "user"].map(
    (name) => `${name}.openshift.io`,
  ),
);
const isTyped = (group: string): boolean =>
  !group.includes(".") || group.endsWith(".k8s.io") || AGGREGATED.has(group);

/** Maps of texts: an empty text is an entry all the same. */
const MAPS_OF_TEXTS = new Set([
  "annotations",
  "data",
  "labels",
  "matchLabels",
  "nodeSelector",
  "parameters",
  "selector",
  "volumeAttributes",
]);
const isLeftOut = (value: unknown, path: readonly string[]): boolean =>
  (value === "" && !MAPS_OF_TEXTS.has(path.at(-2) ?? "")) ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) && isEmpty(value));
const MAPS_OF_QUANTITIES = new Set([
  "capacity",
  "default",
  "defaultRequest",
  "hard",
  "limits",
  "max",
  "min",
  "requests",
]);
const QUANTITIES = new Set(["divisor", "sizeLimit", "storage"]);
const isQuantity = (path: readonly string[]): boolean =>
  QUANTITIES.has(path.at(-1) ?? "") || MAPS_OF_QUANTITIES.has(path.at(-2) ?? "");

/** Written by Go: zeros are left out, quantities have one spelling. */
const typed: Stands = (there, wanted, path) =>
  isSame(there, wanted) ||
  (there === undefined && isLeftOut(wanted, path)) ||
  (isQuantity(path) && sameQuantity(there, wanted));
/** A custom resource keeps what it is sent. */
const custom: Stands = isSame;

/** The comparison for values as the server stores them for a group's kinds. */
export const standsIn = (group: string): Stands => (isTyped(group) ? typed : custom);

/** True where every wanted value is there; maps may hold more. */
export function covers(
  there: unknown,
  wanted: unknown,
  stands: Stands = custom,
  path: readonly string[] = [],
): boolean {
  if (isRecord(wanted))
    return (
      isRecord(there) &&
      Object.entries(wanted).every(([name, value]) => covers(there[name], value, stands, [...path, name]))
    );
  if (Array.isArray(wanted) && Array.isArray(there))
    return (
      there.length === wanted.length &&
      wanted.every((item, index) => covers(there[index], item, stands, path))
    );
  return stands(there, wanted, path);
}
