import type { Kind } from "../../../shared/function/index.ts";

/** A cluster as scenarios need it: a user's deeds and views. `at.namespace` is absent for cluster-scoped kinds. */
export interface Cluster {
  /** Applies a manifest as a user does: fields that it leaves out and gave before go. Namespaces are made as needed. */
  put(kind: Kind, metadata: UserMetadata, fields?: Readonly<Record<string, unknown>>): Promise<void>;
  remove(kind: Kind, at: At): Promise<void>;
  get<K extends Kind>(kind: K, at: At): Promise<K["prototype"] | undefined>;
  list<K extends Kind>(kind: K, namespace?: string): Promise<readonly K["prototype"][]>;
  /** Resolves when no work is left anywhere, with Deployments rolled out. */
  settled(): Promise<void>;
  /** Runs every key once more and resolves when that is done. */
  again(): Promise<void>;
  /** The next writes of statuses are refused: by a 409 and a 503 in turn. Absent where that cannot be done. */
  readonly failStatusWrites?: (count: number) => void;
  /** The warnings for people with this reason. */
  warnings(reason: string): Promise<readonly { readonly namespace: string; readonly message: string }[]>;
  /** Lets so much time pass that what is made next is younger. */
  pause(): Promise<void>;
  /** True where schemas are enforced. */
  readonly validates: boolean;
}
export interface At {
  readonly name: string;
  readonly namespace?: string | undefined;
}
export interface UserMetadata extends At {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly unknown[];
}
