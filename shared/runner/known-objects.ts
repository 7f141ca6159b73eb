import { getHeapStatistics } from "node:v8";
import type { Kind } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { subjectParts } from "../kube/subject.ts";
import { ReadTooLargeError } from "./errors.ts";

/**
 * The most bytes that one run may hold of its reads: a quarter of the heap. They are held twice, as they came and as their kind
 * reads them, and the rest of the process needs its place too.
 */
const MOST = getHeapStatistics().heap_size_limit / 4;
/** The most bytes that a unit of a page's weight takes, about: `{}` with its comma weighs 16 and takes 64. */
const BYTES_OF_WEIGHT = 4;
const OBJECT = 56;
const TEXT = 24;
const ENTRY = 16;

/** The bytes that a value out of JSON takes in memory, about: of any depth, in time linear in its size. */
export function heldBytes(value: unknown): number {
  let bytes = 0;
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string") bytes += TEXT + one.length;
    if (typeof one !== "object" || one === null) continue;
    bytes += OBJECT;
    if (Array.isArray(one)) {
      bytes += one.length * ENTRY;
      for (const each of one) left.push(each);
      continue;
    }
    for (const [name, each] of Object.entries(one)) {
      bytes += ENTRY + name.length;
      left.push(each);
    }
  }
  return bytes;
}

const kindIn = (subject: string): string => {
  const { cluster, group, kind } = subjectParts(subject);
  return `${group}/${kind}${cluster === undefined ? "" : ` in ${cluster}`}`;
};

/** The objects that one pass of a run has read, as they came, by subject. */
export class KnownObjects extends Map<string, KubeObject> {
  readonly #of: string;
  readonly #most: number;
  /** No less than what it holds of lists. */
  #atMost = 0;
  /** The bytes that it holds of objects that were let go. */
  #ofParts = 0;

  /**
   * @param of the function
   * @param most what it may hold, in bytes
   */
  constructor(of: string, most = MOST) {
    super();
    this.#of = of;
    this.#most = most;
  }

  /**
   * Called for each page of a list whose objects were added. They are measured only where all pages together might be too much.
   * @param weight of the page, see `weightOf`; undefined where that is not known
   * @throws a `ReadTooLargeError`
   */
  came(weight: number | undefined): void {
    this.#atMost += weight === undefined ? Number.POSITIVE_INFINITY : weight * BYTES_OF_WEIGHT;
    if (this.#atMost + this.#ofParts <= this.#most) return;
    const kinds = new Map<string, number>();
    this.#atMost = 0;
    for (const [subject, object] of this) {
      const kind = kindIn(subject);
      const bytes = heldBytes(object);
      this.#atMost += bytes;
      kinds.set(kind, (kinds.get(kind) ?? 0) + bytes);
    }
    if (this.#atMost + this.#ofParts <= this.#most) return;
    const [[heaviest] = [""]] = [...kinds].sort(([, one], [, other]) => other - one);
    throw new ReadTooLargeError(this.#of, heaviest, this.#most);
  }

  /**
   * Called for what is kept of an object that is let go.
   * @throws a `ReadTooLargeError`
   */
  picked({ group, kind }: Pick<Kind, "group" | "kind">, part: unknown): void {
    this.#ofParts += ENTRY + heldBytes(part);
    if (this.#atMost + this.#ofParts > this.#most)
      throw new ReadTooLargeError(this.#of, `${group}/${kind}`, this.#most);
  }

  override clear(): void {
    super.clear();
    this.#atMost = 0;
    this.#ofParts = 0;
  }
}
