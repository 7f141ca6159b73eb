import type { Obj } from "../../../../shared/function/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { Templated } from "../../kinds/index.ts";

/** An object of a task, and what there is of it. */
export interface SeenObject {
  /** The object to apply: in its present version, where the server no longer has the one of the template. */
  readonly object: KubeObject;
  /** The template that it came from; undefined for what no template says whole. */
  readonly template?: string | undefined;
  /** The API version of the template, where another one has taken its place. */
  readonly replaces?: string | undefined;
  /** Undefined where the server does not know its kind. */
  readonly scope: "Namespaced" | "Cluster" | undefined;
  readonly live: Obj<typeof Templated> | undefined;
  /** True where it was not looked at, since it is probably absent. */
  readonly unread?: true;
  /** The reason why it may not be touched at all. */
  readonly refused?: string;
  /** True where the server knows no such kind, and the configuration admits none of its group. */
  readonly isForeign?: boolean;
}
