import type { Clusters, InCluster } from "../kube/clusters.ts";
import type { AnyObject, At, Kind, Obj, ShapeOf, Slot } from "../kube/kind.ts";
import type { SlotPlace } from "../kube/slot.ts";
import type { Sealed } from "./sealed.ts";
import type { Wait } from "./wait.ts";

/** The compiler's message for a kind that the function does not declare. */
export interface NotDeclared<Name extends string> {
  readonly "this kind is not declared: wake on it, own it, or add unwatched(Kind, why) to reads": Name;
}
type Declared<K extends Kind, Names extends string> = K &
  (K["id"] extends Names ? unknown : NotDeclared<K["id"]>);
/** A declared kind. A slot is refused: its objects carry their own apiVersion and kind. */
type DeclaredKind<K extends Kind, Names extends string> = Declared<K, Names> &
  (K extends Slot
    ? { readonly "this is a slot for kinds that only data names: use read.object or read.objects": K["id"] }
    : unknown);

/** The objects that a list is about. */
export interface Where {
  readonly namespace?: string;
  /** Only objects of this name, in all namespaces unless one is given. */
  readonly name?: string;
  /** The labels of the objects; null: those that have no such label. */
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly ownedBy?: AnyObject;
}

/** Reads of declared kinds, fresh from the API server. */
export interface Reader<Names extends string> {
  /** The object of that name; undefined where there is none. Throws a `KubeError` where the server refuses. */
  get<K extends Kind>(kind: DeclaredKind<K, Names>, at: At<NoInfer<K>>): Promise<Obj<K> | undefined>;
  /**
   * The objects of a kind, all of them or those that match `where`. One that cannot be read is left out: `unreadableIn` names it.
   */
  list<K extends Kind>(
    kind: DeclaredKind<K, Names>,
    ...where: ListedIn<NoInfer<K>>
  ): Promise<readonly Obj<K>[]>;
  /**
   * The part of each object that counts, where a list is long: `read.pick(Tree, {}, (tree) => tree.spec.height)`. The objects are let
   * go page by page, so what is picked holds none of them whole. No object of such a list can be written over without a read.
   */
  pick<K extends Kind, T>(
    kind: DeclaredKind<K, Names>,
    where: Where & InCluster<NoInfer<K>>,
    part: (object: Obj<K>) => T,
  ): Promise<readonly T[]>;
  /**
   * An object of a kind that only data names. Throws a `KubeError` with the kind `kindMissing` where the server does not know its
   * kind (ask `knows`), and a `TerminalError` where the configuration does not admit it (`KIND_NOT_ADMITTED`).
   */
  object<K extends Slot>(
    slot: DeclaredSlot<K, Names>,
    at: SlotPlace & InCluster<NoInfer<K>>,
  ): Promise<Obj<K> | undefined>;
  /** The objects of one kind that only data names; throws as `object` does. */
  objects<K extends Slot>(
    slot: DeclaredSlot<K, Names>,
    where: { readonly apiVersion: string; readonly kind: string } & Where & InCluster<NoInfer<K>>,
  ): Promise<readonly Obj<K>[]>;
  /**
   * The scope of the kind, where the server knows it now; undefined where it does not: a CRD that is yet to come brings it. A kind
   * that is undeclared or not admitted is an error, as above.
   */
  knows<K extends Slot>(
    slot: DeclaredSlot<K, Names>,
    what: { readonly apiVersion: string; readonly kind: string } & InCluster<NoInfer<K>>,
  ): Promise<{ readonly scope: "Namespaced" | "Cluster" } | undefined>;
  /**
   * The state of one of other clusters, by a question to it that is no older than a few seconds. The function must declare a kind of
   * them. A read or write of a cluster that is not reachable ends the run without an attempt; ask before, to show it in a status.
   */
  cluster<Id extends string>(clusters: Clusters<Id>, name: string): Promise<ClusterState>;
  /**
   * Runs a command in a container and reads what it prints, of which nobody sees anything on the way. It must change nothing: a pass
   * that is repeated runs it again. The declaration says why (`executes`). Throws a `KubeError`: `invalid` where it prints more than
   * `maximumBytes`, `unavailable` where the container is not there (yet), `forbidden` where the role lacks `pods/exec`.
   */
  exec(
    pod: AnyObject,
    container: string,
    command: readonly string[],
    options: { readonly maximumBytes: number },
  ): Promise<{ readonly exitCode: number; readonly stdout: Sealed }>;
}
/** Objects of other clusters cannot be listed without their cluster. */
type ListedIn<K extends Kind> = ShapeOf<K>["place"] extends "home"
  ? [where?: Where & { readonly cluster?: never }]
  : [where: Where & { readonly cluster: string }];

/** The state of one of other clusters; each but the first is worth a condition. */
export interface ClusterState {
  /**
   * `no secret`: there is no Secret with its kubeconfig. `several secrets`: its label is on more than one, and none of them is used.
   * `unreachable`: the Secret cannot be used, or the API server does not answer, or not to these credentials.
   */
  readonly state: "reachable" | "no secret" | "several secrets" | "unreachable";
  /** Its name, as it was asked for. */
  readonly cluster: string;
  /** The reason in words, without secrets; empty where it is reachable. */
  readonly reason: string;
  /** True where it is reachable and bears nobody's mark, though these clusters have one: another may take it at any time. */
  readonly isUnmarked?: boolean;
  /** The wait whose end is that this state becomes another one. */
  readonly wait: Wait;
}
/** A declared slot. Other kinds have `get` and `list`. */
type DeclaredSlot<K extends Slot, Names extends string> = Declared<K, Names>;
