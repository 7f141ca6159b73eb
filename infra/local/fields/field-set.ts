import { isObject, type JsonObject, setOwn } from "../json.ts";

/**
 * A set of field paths as a tree. The keys are those of `fieldsV1`: `f:name`, `k:{"port":1}`, `v:"x"`, `i:0`.
 * A node is in the set where `member` is true; its children are paths below it.
 */
export class FieldSet {
  member: boolean;
  readonly children: Map<string, FieldSet>;
  constructor(member = false, children = new Map<string, FieldSet>()) {
    this.member = member;
    this.children = children;
  }

  /** The node of a path element, made where it is missing. */
  child(element: string): FieldSet {
    let found = this.children.get(element);
    if (found === undefined) {
      found = new FieldSet();
      this.children.set(element, found);
    }
    return found;
  }

  get empty(): boolean {
    return !this.member && [...this.children.values()].every((child) => child.empty);
  }

  union(other: FieldSet): FieldSet {
    const children = new Map(this.children);
    for (const [element, theirs] of other.children) {
      const mine = children.get(element);
      children.set(element, mine === undefined ? theirs : mine.union(theirs));
    }
    return new FieldSet(this.member || other.member, children);
  }

  intersection(other: FieldSet): FieldSet {
    const children = new Map<string, FieldSet>();
    for (const [element, mine] of this.children) {
      const theirs = other.children.get(element);
      const shared = theirs === undefined ? undefined : mine.intersection(theirs);
      if (shared !== undefined && !shared.empty) children.set(element, shared);
    }
    return new FieldSet(this.member && other.member, children);
  }

  /** Without the paths of `other`; paths below a removed one stay. */
  difference(other: FieldSet): FieldSet {
    const children = new Map<string, FieldSet>();
    for (const [element, mine] of this.children) {
      const theirs = other.children.get(element);
      const rest = theirs === undefined ? mine : mine.difference(theirs);
      if (!rest.empty) children.set(element, rest);
    }
    return new FieldSet(this.member && !other.member, children);
  }

  /** Every path as text (`.spec.ports[port=1].proto`): the fields of a node first, then what lies below them. */
  *paths(prefix = ""): Generator<string> {
    const sorted = [...this.children].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [element, child] of sorted) if (child.member) yield prefix + elementText(element);
    for (const [element, child] of sorted) yield* child.paths(prefix + elementText(element));
  }

  /** The set as `fieldsV1`. */
  toJson(): JsonObject {
    const out: JsonObject = {};
    if (this.member && this.children.size > 0) out["."] = {};
    for (const [element, child] of [...this.children].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!child.empty) setOwn(out, element, child.toJson());
    }
    return out;
  }

  /** The set of a `fieldsV1`; undefined where it is malformed. */
  static fromJson(fields: unknown): FieldSet | undefined {
    if (!isObject(fields)) return undefined;
    const set = new FieldSet();
    return read(fields, set) ? set : undefined;
  }
}

function read(fields: JsonObject, node: FieldSet): boolean {
  for (const [raw, inner] of Object.entries(fields)) {
    if (!isObject(inner)) return false;
    if (raw === ".") {
      node.member = true;
      continue;
    }
    const element = canonical(raw);
    if (element === undefined) return false;
    const child = node.child(element);
    if (Object.keys(inner).length === 0) child.member = true;
    else if (!read(inner, child)) return false;
  }
  return true;
}

/** Keys and values in one spelling, so that equal elements are equal texts. */
function canonical(raw: string): string | undefined {
  const kind = raw.slice(0, 2);
  if (kind === "f:" || kind === "i:") return raw;
  if (kind !== "k:" && kind !== "v:") return undefined;
  try {
    const value: unknown = JSON.parse(raw.slice(2));
    if (kind === "v:") return valueElement(value);
    return isObject(value) ? keyElement(value) : undefined;
  } catch (error) {
    // Written by a client: what cannot be read is refused by the caller.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const fieldElement = (name: string): string => `f:${name}`;
export const valueElement = (value: unknown): string => `v:${JSON.stringify(value)}`;
export function keyElement(key: JsonObject): string {
  const sorted = Object.keys(key)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(key[name])}`);
  return `k:{${sorted.join(",")}}`;
}

/** `.size`, `[port=1,protocol="TCP"]`, `["x"]`, `[0]`. */
export function elementText(element: string): string {
  const rest = element.slice(2);
  if (element.startsWith("f:")) return `.${rest}`;
  if (element.startsWith("v:")) return `[${rest}]`;
  if (element.startsWith("i:")) return `[${rest}]`;
  const key = JSON.parse(rest) as JsonObject;
  return `[${Object.keys(key)
    .map((name) => `${name}=${JSON.stringify(key[name])}`)
    .join(",")}]`;
}
