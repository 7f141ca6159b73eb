import type { KubeClient, Resource } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";

/** What of a kind is followed, and who is told. */
export interface FollowOptions<T> {
  readonly client: KubeClient;
  readonly resource: Resource;
  /** What of an object is kept in memory. */
  readonly keep: (object: KubeObject) => T;
  readonly changed?: (now: T) => void;
  readonly deleted?: (before: T) => void;
}

/** All objects of one kind, followed by list and watch. */
export interface Following {
  /** Resolves after the first complete list, or when it is stopped before; never rejects. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
}

/** Follows a kind until it is stopped; it reconnects by itself. */
export type Follow = <T>(options: FollowOptions<T>) => Following;
