import { type ClustersStatics, referenceOf } from "../kube/cluster-names.ts";
import type { KindStatics } from "../kube/kind.ts";
import { subjectIn } from "../kube/subject.ts";
import type { KeyShape } from "./declaration.ts";

/**
 * Keys as text, for the bus: `<cluster>/<group>/<kind>/<namespace>/<name>` for one object. Groups have an asterisk as their
 * name: with an asterisk as namespace too they hold all objects, with a namespace those in it; the name `=<value>` stands for
 * those that share a fact. A sweep (the look-up of dependants) is `sweep:<wake>:<key of the source>`. No part of a Kubernetes
 * name holds a slash.
 */
export type KeyText = string;

/** A key, taken apart. */
export type ParsedKey =
  | {
      readonly of: "object";
      readonly cluster: string;
      readonly group: string;
      readonly kind: string;
      readonly namespace: string | undefined;
      readonly name: string;
    }
  | {
      readonly of: "group";
      readonly cluster: string;
      readonly group: string;
      readonly kind: string;
      readonly namespace: string | undefined;
      readonly fact: string | undefined;
    }
  | { readonly of: "sweep"; readonly wake: number; readonly source: KeyText };

/** The place of an object: its cluster, its namespace and its name. */
export interface Located {
  readonly cluster: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}
type KindName = Pick<KindStatics, "group" | "kind">;

/** The key of one object. */
export const objectKey = ({ group, kind }: KindName, at: Located): KeyText =>
  `${at.cluster}/${group}/${kind}/${at.namespace ?? ""}/${at.name}`;
const EVENT = "event:";

/** The key of all objects of a kind. */
export const groupOfAll = ({ group, kind }: KindName, cluster: string): KeyText =>
  `${cluster}/${group}/${kind}/*/*`;
/** The key of the objects of a kind in one namespace. */
export const groupOfNamespace = ({ group, kind }: KindName, cluster: string, namespace: string): KeyText =>
  `${cluster}/${group}/${kind}/${namespace}/*`;
/** The key of the objects of a kind that share the value of a fact. */
const groupOfFact = ({ group, kind }: KindName, cluster: string, value: unknown): KeyText =>
  `${cluster}/${group}/${kind}/*/=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`;
/** The key of a sweep: the look-up of the dependants that a source's change wakes. */
export const sweepKey = (wake: number, source: KeyText): KeyText => `sweep:${wake}:${source}`;
/** The source of a sweep that is no object: an event, by its id. */
export const eventSource = (id: string): KeyText => `${EVENT}${id}`;

/** The key under which a function sees this object of its kind; undefined where a fact that it lacks would group it. */
export function keyOf(
  shape: KeyShape,
  at: Located,
  facts: Readonly<Record<string, unknown>>,
): KeyText | undefined {
  switch (shape.by) {
    case "object":
      return objectKey(shape.kind, at);
    case "all":
      return groupOfAll(shape.kind, at.cluster);
    case "namespace":
      return groupOfNamespace(shape.kind, at.cluster, at.namespace ?? "");
    case "fact": {
      const value = facts[shape.fact ?? ""];
      return value === undefined || value === null ? undefined : groupOfFact(shape.kind, at.cluster, value);
    }
  }
}

/** Takes a key apart. Throws a `TypeError` for a text that is no key. */
export function parseKey(text: KeyText): ParsedKey {
  const sweep = /^sweep:(-?\d+):(.*)$/s.exec(text);
  if (sweep !== null) return { of: "sweep", wake: Number(sweep[1]), source: sweep[2] ?? "" };
  const [cluster, group, kind, namespace, name] = text.split("/");
  if (
    cluster === undefined ||
    group === undefined ||
    kind === undefined ||
    namespace === undefined ||
    name === undefined ||
    name === ""
  )
    throw new TypeError(`"${text}" is no key: a key is cluster/group/kind/namespace/name`);
  if (name === "*")
    return {
      of: "group",
      cluster,
      group,
      kind,
      namespace: namespace === "*" ? undefined : namespace,
      fact: undefined,
    };
  if (name.startsWith("="))
    return {
      of: "group",
      cluster,
      group,
      kind,
      namespace: undefined,
      fact: decodeURIComponent(name.slice(1)),
    };
  return { of: "object", cluster, group, kind, namespace: namespace === "" ? undefined : namespace, name };
}

/** A key for people: `Widget team/one`, `all Gardens`, `Widgets of team-a`. */
export function describeKey(text: KeyText): string {
  const key = parseKey(text);
  if (key.of === "sweep")
    return `dependants of ${key.source.startsWith(EVENT) ? key.source.slice(EVENT.length) : describeKey(key.source)}`;
  if (key.of === "object")
    return `${key.kind} ${key.namespace === undefined ? "" : `${key.namespace}/`}${key.name}`;
  if (key.fact !== undefined) return `${several(key.kind)} of ${key.fact}`;
  return key.namespace === undefined
    ? `all ${several(key.kind)}`
    : `${several(key.kind)} of ${key.namespace}`;
}

/**
 * The name of an object in events and in the history: `<group>/<kind>/<namespace>/<name>`, for one of other clusters behind its cluster:
 * `@runtime:rt-1/<group>/…`.
 */
export const subjectOf = (
  { group, kind, clusters }: KindName & { readonly clusters?: ClustersStatics | undefined },
  at: {
    readonly cluster?: string | undefined;
    readonly namespace?: string | undefined;
    readonly name: string;
  },
): string => subjectIn(clusters && referenceOf(clusters, at.cluster ?? ""), { group, kind }, at);

/** The plural of a kind for people: `Widgets`, `Policies`. */
export const several = (kind: string): string => kind.replace(/([^aeiou])y$/, "$1ie").concat("s");
