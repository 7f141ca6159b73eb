import type { KubeObject } from "../kube/object.ts";

/**
 * The objects that this process has just seen, from the watch and from the answers to its writes: they spare reads where every
 * write is fenced with their version. Bounded by count and by size; whatever falls out is read from the server.
 */
export class Sightings {
  readonly #objects = new Map<string, KubeObject>();
  readonly #maximum: number;
  constructor(maximum = 512) {
    this.#maximum = maximum;
  }

  get = (subject: string): KubeObject | undefined => this.#objects.get(subject);

  /** Keeps it unless a newer version of the same object is known. */
  saw = (subject: string, object: KubeObject): void => {
    const known = this.#objects.get(subject);
    if (
      known !== undefined &&
      known.metadata.uid === object.metadata.uid &&
      isNewer(known.metadata.resourceVersion, object.metadata.resourceVersion)
    )
      return;
    this.#objects.delete(subject);
    this.#objects.set(subject, object);
    if (this.#objects.size > this.#maximum)
      this.#objects.delete(this.#objects.keys().next().value ?? subject);
  };

  gone = (subject: string): void => {
    this.#objects.delete(subject);
  };
}

/** Resource versions of one kind compare as numbers: first by length, then as text (facts §1). */
function isNewer(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.length === other.length ? one > other : one.length > other.length;
}
