import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../json/fields.ts";
import type { KubeObject } from "../../kube/object.ts";

/** One path of an object that differs. An absent `from` was not there, an absent `to` is gone. */
export interface Change {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** The difference of one object: as it would be, or as it became. */
export interface ObjectDiff {
  /** `<group>/<kind>/<namespace>/<name>`. */
  readonly subject: string;
  readonly change: "created" | "changed" | "deleted";
  readonly changes: readonly Change[];
}

/** The fields that the server makes up: they say nothing of the intent. */
const SERVERS = new Set([
  "managedFields",
  "resourceVersion",
  "generation",
  "uid",
  "creationTimestamp",
  "deletionGracePeriodSeconds",
]);

const withoutServers = ({ metadata, ...rest }: KubeObject): Readonly<Record<string, unknown>> => ({
  metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !SERVERS.has(name))),
  ...rest,
});

/** The stand-in for what the server picks for a new object, a Service's address or a Job's uid; a dry run is not told the true one. */
const PICKED = "(picked by the server)";
function withoutPick(subject: string, change: Change): Change {
  const { path, to } = change;
  // The server marks a Job and its pods with the Job's uid.
  if (subject.startsWith("batch/Job/") && path.includes("controller-uid")) return { path, to: PICKED };
  if (!subject.startsWith("/Service/")) return change;
  if (path === "spec.clusterIPs" && isPicked(to)) return { path, to: [PICKED] };
  if ((path === "spec.clusterIP" && to !== "None") || path === "spec.healthCheckNodePort")
    return { path, to: PICKED };
  if (path !== "spec.ports" || !Array.isArray(to)) return change;
  const ports = to.map((port: object) => ("nodePort" in port ? { ...port, nodePort: PICKED } : port));
  return { path, to: ports };
}
const isPicked = (ips: unknown): boolean => Array.isArray(ips) && ips[0] !== "None";

/** Undefined where nothing differs. */
export function diffOf(
  subject: string,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): ObjectDiff | undefined {
  if (before === undefined && after === undefined) return undefined;
  if (after === undefined) return { subject, change: "deleted", changes: [] };
  const changes = [
    ...changesOf(before === undefined ? {} : withoutServers(before), withoutServers(after), ""),
  ];
  if (before === undefined)
    return { subject, change: "created", changes: changes.map((one) => withoutPick(subject, one)) };
  return changes.length === 0 ? undefined : { subject, change: "changed", changes };
}

function* changesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  at: string,
): Generator<Change> {
  for (const name of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const [from, to] = [before[name], after[name]];
    if (isDeepStrictEqual(from, to)) continue;
    const path = /^[\w-]+$/.test(name) ? `${at}.${name}` : `${at}["${name}"]`;
    if (isRecord(to) && (isRecord(from) || (from === undefined && Object.keys(to).length > 0)))
      yield* changesOf(from ?? {}, to, path);
    else if (isLists(from, to)) yield* elementsOf(from, to, path);
    else
      yield {
        path: path.replace(/^\./, ""),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      };
  }
}

const isLists = (from: unknown, to: unknown): from is readonly unknown[] =>
  Array.isArray(from) &&
  Array.isArray(to) &&
  from.length === to.length &&
  from.every(isRecord) &&
  to.every(isRecord);

/** The differences of each element, of lists of equal length. */
function* elementsOf(from: readonly unknown[], to: unknown, path: string): Generator<Change> {
  for (const [index, element] of from.entries()) {
    const other = (to as readonly unknown[])[index];
    if (isRecord(element) && isRecord(other))
      yield* changesOf(element, other, `${path}[${elementName(element, other) ?? index}]`);
  }
}

/** Named parts of lists are told by their names. */
const elementName = (...elements: readonly Readonly<Record<string, unknown>>[]): string | undefined => {
  for (const field of ["name", "type"]) {
    const [first, second] = elements.map((element) => element[field]);
    if (typeof first === "string" && first === second && /^[\w./-]+$/.test(first)) return first;
  }
  return undefined;
};
