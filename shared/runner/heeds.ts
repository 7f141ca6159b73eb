import type { ResourceChanged } from "../../events/index.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { ALWAYS_HEEDED } from "../function/heeded.ts";
import { sameJson } from "../json/same-json.ts";
import type { KubeObject } from "../kube/object.ts";
import { type Segments, valueAt } from "../kube/paths.ts";

type Differs = ResourceChanged["data"]["differs"];

/** The states that an event tells of its object. */
interface States {
  /** Newest first. */
  readonly facts: readonly Readonly<Record<string, unknown>>[];
  readonly incomplete: boolean;
  /** Nothing of it was published before. */
  readonly isNew: boolean;
}

/** True for a change of its own object that wakes a function. */
export type Heeds = (differs: Differs, states: States) => boolean;

const textOf = (path: Segments): string => path.join("\n");

/** The paths of the parts of the status that are a function's own. */
const ownPaths = ({ key: { part = [] } }: FunctionDeclaration): readonly Segments[] =>
  part.map((name) => {
    const [field = "", condition] = name.split(".");
    return ["status", field, ...(condition === undefined ? [] : [`[${condition}]`])];
  });

/**
 * True for a function of which two states of its object can say the same: it names the facts that it heeds, and its part of the status, and
 * nothing else of its kind wakes it, not even for another key.
 */
export const saysWhatItHeeds = ({ key: { kind: own, heeds, part }, wakes }: FunctionDeclaration): boolean =>
  heeds !== undefined &&
  !heeds.includes("status") &&
  part !== undefined &&
  wakes.every(({ kind }) => kind?.id !== own.id);

/**
 * True where two states of its own object say the same to a function that names the facts that it heeds: what it decided on one holds for the other.
 */
export function saysTheSame(declaration: FunctionDeclaration, one: KubeObject, other: KubeObject): boolean {
  const { kind, heeds = [] } = declaration.key;
  if (!saysWhatItHeeds(declaration) || one.metadata.uid !== other.metadata.uid) return false;
  if (heeds.includes("object") && !sameJson(wishOf(one), wishOf(other))) return false;
  const facts = heeds.flatMap((name) => (kind.facts[name] === undefined ? [] : [kind.facts[name]]));
  return [...facts, ...ALWAYS_HEEDED, ...ownPaths(declaration)].every((path) =>
    sameJson(valueAt(one, path), valueAt(other, path)),
  );
}

/** All of an object but its status, and what the server says of its versions. */
const wishOf = ({ status: _, metadata, ...fields }: KubeObject): object => {
  const { resourceVersion: __, managedFields: ___, ...rest } = metadata;
  return { ...fields, metadata: rest };
};

/** The changes of its own object that wake a function. */
export function heedsOf(declaration: FunctionDeclaration): Heeds {
  const { kind, heeds } = declaration.key;
  const own = ownPaths(declaration);
  const told = new Set(Object.values(kind.facts).map(textOf));
  const isTold = own.every((path) => told.has(textOf(path)));
  if (heeds === undefined) {
    // Where facts tell each part that is its own, what others write into the status is told by facts too, or does not concern it.
    const hearsStatus = own.length === 0 || !isTold;
    return (differs) => hearsStatus || anyOf(differs, ["object", "facts"]);
  }
  const always = new Set([...ALWAYS_HEEDED, ...own].map(textOf));
  const names = Object.keys(kind.facts).filter(
    (name) => heeds.includes(name) || always.has(textOf(kind.facts[name] ?? [])),
  );
  const wholes = (["object", "status"] as const).filter(
    (part) => heeds.includes(part) || (part === "status" && !isTold),
  );
  return (differs, states) =>
    anyOf(differs, wholes) || (differs.includes("facts") && isAnother(names, states));
}

const anyOf = (differs: Differs, parts: Differs): boolean =>
  differs.some((part) => part === "unknown" || part === "created" || parts.includes(part));

/** True where one of these facts changed from one state to the next, as far as these are known. */
const isAnother = (names: readonly string[], { facts, incomplete, isNew }: States): boolean =>
  incomplete ||
  isNew ||
  names.some((name) =>
    facts.some((state, index) => index > 0 && !sameJson(state[name], facts[index - 1]?.[name])),
  );
