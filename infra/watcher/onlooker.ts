import type { KubeObject } from "../../shared/kube/object.ts";

/** Hears what a watcher reads, whether it publishes or stands by. `subject`: as its events name the object. Must neither block nor throw. */
export interface Onlooker {
  /** A living object passed, whole: not told of kinds that are read as metadata only. */
  saw(subject: string, object: KubeObject): void;
  /** It is gone, or no longer selected, and was so last in this version. */
  gone(subject: string, resourceVersion: string): void;
  /** The server went back to an older state: what was seen before may never have been, and its versions are given again. */
  forgetAll(): void;
}
