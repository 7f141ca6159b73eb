import type { KubeObject } from "../../../../shared/kube/object.ts";
import { at, numberOf, textOf } from "./cells.ts";
import { column, type TableColumn } from "./columns.ts";
import { ageText } from "./duration.ts";

/** Either spelling: core/v1, or events.k8s.io/v1. */
const either = (event: KubeObject, core: readonly string[], now: readonly string[]): string =>
  textOf(event, ...core) || textOf(event, ...now);
const firstSeen = (event: KubeObject): string =>
  either(event, ["firstTimestamp"], ["deprecatedFirstTimestamp"]) || textOf(event, "eventTime");
const count = (event: KubeObject): number =>
  numberOf(event, "series", "count") || numberOf(event, "count") || numberOf(event, "deprecatedCount") || 1;

function lastSeen(event: KubeObject): string {
  const ofSeries = textOf(event, "series", "lastObservedTime");
  return ofSeries || either(event, ["lastTimestamp"], ["deprecatedLastTimestamp"]) || firstSeen(event);
}

function objectOf(event: KubeObject): string {
  const involved = at(event, "involvedObject") ?? at(event, "regarding");
  const [kind, name] = [textOf(involved, "kind").toLowerCase(), textOf(involved, "name")];
  return name === "" ? kind : `${kind}/${name}`;
}

function sourceOf(event: KubeObject): string {
  const source = at(event, "source") ?? at(event, "deprecatedSource");
  const component =
    textOf(source, "component") || either(event, ["reportingComponent"], ["reportingController"]);
  const host = textOf(source, "host") || textOf(event, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}

export const eventColumns: readonly TableColumn[] = [
  column("Last Seen", (event, now) => ageText(lastSeen(event), now)),
  column("Type", (event) => textOf(event, "type")),
  column("Reason", (event) => textOf(event, "reason")),
  column("Object", objectOf),
  column("Subobject", (event) => textOf(at(event, "involvedObject") ?? at(event, "regarding"), "fieldPath"), {
    wide: true,
  }),
  column("Source", sourceOf, { wide: true }),
  column("Message", (event) => either(event, ["message"], ["note"]).trim()),
  column("First Seen", (event, now) => ageText(firstSeen(event), now), { wide: true }),
  column("Count", (event) => String(count(event)), { wide: true }),
  column("Name", ({ metadata }) => metadata.name, { format: "name", wide: true }),
];
