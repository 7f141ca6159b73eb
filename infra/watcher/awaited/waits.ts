/** An object that somebody waits for. */
export interface AwaitedObject {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  /** Its API version. */
  readonly version?: string | undefined;
}

/** The keeper of the waits: the bus. */
export interface KeepsWaits {
  /** The objects that somebody waits for, each once. */
  waits(): Promise<readonly AwaitedObject[]>;
  /** Calls the listener with what is waited for from now on; undefined where something may have been missed. */
  subscribe(listener: {
    readonly waits: (objects: readonly AwaitedObject[] | undefined) => void;
  }): () => void;
}

/** One text for an object. */
export const awaitedName = ({ cluster, group, kind, namespace = "", name }: AwaitedObject): string =>
  `${cluster}\n${group}\n${kind}\n${namespace}\n${name}`;
