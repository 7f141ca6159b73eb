import type { Envelope } from "../../events/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Sighting } from "./sighting.ts";

/** The part that a watcher reads in the answer to a write. */
export interface SeenInAnswer {
  readonly sighting: Sighting;
  /** The way in which it was read (`entryOf`). */
  readonly entry: string;
}

/** The key of a function whose run wrote something. */
export interface WriterKey {
  readonly function: string;
  readonly key: string;
}

/** The versions that runs of this process have just written: an `OwnWrites`. */
export interface OwnVersions {
  /** Answers of this kind are read so from now on. */
  read(
    kind: { readonly apiVersion: string; readonly kind: string },
    read: (object: KubeObject) => SeenInAnswer | undefined,
  ): void;
  /** True where every line is anybody's. */
  readonly isIdle: boolean;
  find(
    uid: string,
    resourceVersion: string,
  ): { readonly by: WriterKey; readonly seen: SeenInAnswer } | undefined;
  /** Its line came. */
  forget(uid: string, resourceVersion: string): void;
  /** True while a write to the object is on its way. */
  isUnderWay(uid: string): boolean;
  /** Calls the listener at each end of those on their way. @returns ends it */
  onEnd(uid: string, listener: () => void): () => void;
  forgetAll(): void;
}

/** The version of an object that an event told of. */
export interface LeftOut {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly traceparent?: string | undefined;
  /** RFC 3339. */
  readonly time: string;
}

/** The functions that run beside a watcher, in one process with everybody who may hear of what it sees. */
export interface Beside {
  readonly own: OwnVersions;
  /** True where an event leads to nobody but this key. */
  readonly leadsOnlyTo: (event: Envelope, by: WriterKey) => boolean;
  /** An event is left out, because it told nobody anything. */
  readonly leftOut: (event: LeftOut) => void;
}
