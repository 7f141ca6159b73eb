import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseAllDocuments,
} from "yaml";
import { KUBERNETES_YAML } from "../../../../shared/manifests/documents.ts";
import type { PackageValue } from "../parameters/index.ts";
import type { PackageFault } from "./errors.ts";

/** A value of a file, with its way there, as messages name it. */
export interface Place {
  readonly node: Node | null | undefined;
  /** `plans.deploy.phases[0]`. */
  readonly path: string;
}

/** More repetitions of anchors than any package holds. */
const MOST_ALIASES = 100;

/**
 * One YAML file of a package, read field by field. Scalars in fields of text keep the text that they were written as, so that
 * `appVersion: 1.10` is 1.10; what is of another type becomes a fault with its place. Of several documents the first counts.
 */
export class YamlFile {
  readonly root: Place;
  readonly faults: PackageFault[] = [];
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed<ParsedNode> | undefined;

  constructor(file: string, text: string) {
    this.#file = file;
    const documents = parseAllDocuments(text, { ...KUBERNETES_YAML, lineCounter: this.#lines });
    this.#document = "empty" in documents ? undefined : documents[0];
    for (const { message, pos } of this.#document?.errors ?? [])
      this.#fault(message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? message, pos[0]);
    this.root = { node: this.#document?.contents, path: "" };
  }

  /** Adds a fault at that place. */
  fault({ node, path }: Place, message: string): void {
    this.#fault(path === "" ? message : `${path}: ${message}`, node?.range?.[0]);
  }

  /** A field; as the API library does, a name in other letters counts where the exact one is absent. */
  field(of: Place, name: string): Place {
    const path = of.path === "" ? name : `${of.path}.${name}`;
    const entries = this.#entries(of.node);
    const found =
      entries.findLast(([key]) => key === name) ??
      entries.findLast(([key]) => key.toLowerCase() === name.toLowerCase());
    return { node: found?.[1], path };
  }

  /** The text of a scalar as it was written; undefined where there is none. */
  text(place: Place): string | undefined {
    const node = this.#resolved(place.node);
    if (node === undefined || node === null) return undefined;
    if (!isScalar(node)) {
      this.fault(place, "it is no text");
      return undefined;
    }
    if (node.value === null) return undefined;
    return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
  }

  truth(place: Place): boolean | undefined {
    const value = this.#scalar(place);
    if (value === undefined || typeof value === "boolean") return value;
    this.fault(place, "it is neither true nor false");
    return undefined;
  }

  integer(place: Place): number | undefined {
    const value = this.#scalar(place);
    if (value === undefined) return undefined;
    const number = Number(value);
    if ((typeof value === "bigint" || typeof value === "number") && Number.isSafeInteger(number))
      return number;
    this.fault(place, "it is no whole number");
    return undefined;
  }

  /** The members of a list; undefined where there is none. */
  list(place: Place): readonly Place[] | undefined {
    const node = this.#resolved(place.node);
    if (node === undefined || node === null || (isScalar(node) && node.value === null)) return undefined;
    if (!isSeq(node)) {
      this.fault(place, "it is no list");
      return undefined;
    }
    return node.items.map((item, index) => ({ node: item as Node, path: `${place.path}[${index}]` }));
  }

  /** The members of a map by name; undefined where there is none. */
  map(place: Place): readonly (readonly [string, Place])[] | undefined {
    const node = this.#resolved(place.node);
    if (node === undefined || node === null || (isScalar(node) && node.value === null)) return undefined;
    if (!isMap(node)) {
      this.fault(place, "it is no map");
      return undefined;
    }
    const before = place.path === "" ? "" : `${place.path}.`;
    return [...new Map(this.#entries(node))].map(([key, value]) => [
      key,
      { node: value, path: `${before}${key}` },
    ]);
  }

  texts(place: Place): string[] | undefined {
    return this.list(place)?.flatMap((member) => this.text(member) ?? []);
  }

  /** A value of any type. */
  value(place: Place): PackageValue | undefined {
    const node = this.#resolved(place.node);
    if (node === undefined || node === null || this.#document === undefined) return undefined;
    if (isScalar(node)) {
      const source = typeof node.value === "string" ? undefined : node.source;
      return node.value === null ? undefined : { value: node.value, source };
    }
    return { value: node.toJS(this.#document, { maxAliasCount: MOST_ALIASES }) as unknown };
  }

  #scalar(place: Place): unknown {
    const node = this.#resolved(place.node);
    if (node === undefined || node === null) return undefined;
    if (!isScalar(node)) return node;
    return node.value ?? undefined;
  }

  #resolved(node: Node | null | undefined): Node | null | undefined {
    return isAlias(node) && this.#document !== undefined ? node.resolve(this.#document) : node;
  }

  #entries(node: Node | null | undefined): readonly (readonly [string, Node | null])[] {
    const map = this.#resolved(node);
    if (!isMap(map)) return [];
    return map.items.flatMap(({ key, value }) => {
      const name = isScalar(key)
        ? typeof key.value === "string"
          ? key.value
          : (key.source ?? "")
        : undefined;
      // Merged maps come before what stands beside them, which counts.
      if (name === "<<") return [...this.#entries(value as Node | null)];
      return name === undefined ? [] : [[name, value as Node | null] as const];
    });
  }

  #fault(message: string, offset: number | undefined): void {
    const at = offset === undefined ? undefined : this.#lines.linePos(offset);
    const known = at !== undefined && at.line > 0;
    this.faults.push({ file: this.#file, ...(known && { line: at.line, column: at.col }), message });
  }
}
