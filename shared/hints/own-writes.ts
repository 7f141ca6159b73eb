import type { WorkKey } from "../bus/item.ts";
import { keyName } from "../bus/key-name.ts";
import type { KubeObject } from "../kube/object.ts";

/** The versions that are remembered at most; beyond, the line of the oldest is told as anybody's. */
const REMEMBERED = 4_096;

/** A version that a fenced write of this process made, and what a watcher reads in it. */
export interface OwnVersion<Seen> {
  /** The key whose run wrote it. */
  readonly by: WorkKey;
  readonly seen: Seen;
}

/** A write that is on its way. */
export interface Sending {
  /** It was fenced with what the run knew, and this is the server's answer. */
  wrote(object: KubeObject): void;
  /** An answer came, or none will. Call it in any case, after `wrote`. */
  ended(): void;
}

/** The writes of one run of a key. */
export interface OwnRun {
  sends(uid: string): Sending;
  /** The run ended. @param isKept whether its end is acknowledged, so that what it wrote is known to its key */
  ended(isKept: boolean): void;
}

/** Reads an answer as the watcher of its kind does; undefined where it cannot. */
type Read<Seen> = (object: KubeObject) => Seen | undefined;

interface UnderWay {
  writes: number;
  readonly listeners: Set<() => void>;
}

const versionName = (uid: string, resourceVersion: string): string => `${uid} ${resourceVersion}`;

/** A kind in one version, as objects carry it. */
interface KindInVersion {
  readonly apiVersion: string;
  readonly kind: string;
}

const kindName = ({ apiVersion, kind }: KindInVersion): string => `${apiVersion} ${kind}`;

/**
 * The versions that the runs of this process have just written, so that its watcher knows the echo of a write when it comes. Only
 * writes that were fenced with what their run knew, only answers, and only until their key runs again: that run may rest on less.
 * Of use only where the watcher and all runs of these keys are in one process.
 */
export class OwnWrites<Seen = unknown> {
  readonly #reads = new Map<string, Read<Seen>>();
  /** The versions by uid and version; the one that was written longest ago first. */
  readonly #versions = new Map<string, OwnVersion<Seen>>();
  readonly #ofKey = new Map<string, Set<string>>();
  readonly #underWay = new Map<string, UnderWay>();
  /** Counts the times that all was forgotten: what was sent before is nobody's from then on. */
  #age = 0;

  /** Answers of this kind are read so from now on; others are not remembered. */
  read(kind: KindInVersion, read: Read<Seen>): void {
    this.#reads.set(kindName(kind), read);
  }

  /** A run of the key begins. */
  run(key: WorkKey): OwnRun {
    const name = keyName(key);
    this.#forgetOf(name);
    let isOver = false;
    return {
      sends: (uid) => {
        const age = this.#age;
        const underWay = this.#underWay.get(uid) ?? { writes: 0, listeners: new Set() };
        underWay.writes++;
        this.#underWay.set(uid, underWay);
        return {
          wrote: (object) => {
            if (!isOver && age === this.#age) this.#remember(name, key, object);
          },
          ended: () => {
            if (--underWay.writes === 0) this.#underWay.delete(uid);
            for (const listener of [...underWay.listeners]) listener();
          },
        };
      },
      ended: (isKept) => {
        isOver = true;
        if (!isKept) this.#forgetOf(name);
      },
    };
  }

  /** True where nothing is remembered and nothing is on its way: every line is anybody's. */
  get isIdle(): boolean {
    return this.#versions.size === 0 && this.#underWay.size === 0;
  }

  /** The number of versions that are remembered. */
  get size(): number {
    return this.#versions.size;
  }

  /** The knowledge of a version that a run of this process wrote. */
  find(uid: string, resourceVersion: string): OwnVersion<Seen> | undefined {
    return this.#versions.get(versionName(uid, resourceVersion));
  }

  /** Its line came. */
  forget(uid: string, resourceVersion: string): void {
    const name = versionName(uid, resourceVersion);
    const known = this.#versions.get(name);
    if (known === undefined) return;
    this.#versions.delete(name);
    const writer = keyName(known.by);
    const left = this.#ofKey.get(writer);
    left?.delete(name);
    if (left?.size === 0) this.#ofKey.delete(writer);
  }

  /** True while a write to the object is on its way. */
  isUnderWay(uid: string): boolean {
    return this.#underWay.has(uid);
  }

  /** Calls the listener each time that a write to the object, of those on their way, ends. @returns ends it */
  onEnd(uid: string, listener: () => void): () => void {
    const { listeners } = this.#underWay.get(uid) ?? {};
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }

  /** The server may be another one, or in another state: its versions may be given again. */
  forgetAll(): void {
    this.#age++;
    this.#versions.clear();
    this.#ofKey.clear();
  }

  #remember(writer: string, by: WorkKey, object: KubeObject): void {
    const { uid, resourceVersion } = object.metadata;
    const seen = this.#reads.get(kindName(object))?.(object);
    if (seen === undefined || uid === undefined || resourceVersion === undefined) return;
    const name = versionName(uid, resourceVersion);
    this.#versions.set(name, { by, seen });
    const ofKey = this.#ofKey.get(writer) ?? new Set();
    this.#ofKey.set(writer, ofKey.add(name));
    if (this.#versions.size <= REMEMBERED) return;
    for (const oldest of this.#versions.keys()) {
      const [uidOf = "", version = ""] = oldest.split(" ");
      this.forget(uidOf, version);
      return;
    }
  }

  #forgetOf(writer: string): void {
    for (const name of this.#ofKey.get(writer) ?? []) this.#versions.delete(name);
    this.#ofKey.delete(writer);
  }
}
