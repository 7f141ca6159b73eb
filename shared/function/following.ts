import type { KubeClient, Resource } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";

/** A kind to follow, and the functions to call at its changes. */
export interface FollowOptions<T> {
  readonly client: KubeClient;
  readonly resource: Resource;
  /** Returns the part of an object that is kept in memory. */
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
