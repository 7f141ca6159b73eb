import type { KubeObject } from "../../kube/object.ts";

/** The read of a run's own object, begun while its key was still being taken. */
export class ReadAhead {
  readonly #object: Promise<KubeObject | undefined>;

  constructor(object: Promise<KubeObject | undefined>) {
    this.#object = object;
    // Where the key is not taken, nobody asks for it.
    object.catch(() => undefined);
  }

  /** As `KubeClient.get`. */
  object(): Promise<KubeObject | undefined> {
    return this.#object;
  }
}
