import type { Hints } from "../hints/hints.ts";
import type { OwnRun } from "../hints/own-writes.ts";
import type { AppliedMemo } from "../kube/apply/memo.ts";
import type { KubeClient } from "../kube/client.ts";
import type { ClusterReference } from "../kube/cluster-names.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Recorder } from "./recorder.ts";
import type { ReplacedMemo } from "./replacement.ts";
import type { Right } from "./rights.ts";
import type { ToldMemo } from "./told-memo.ts";

/** The result of a write. `object` is the state after it; undefined where it is gone. */
export interface Written {
  readonly object: KubeObject | undefined;
  readonly changed: boolean;
}

/** One of other clusters, as a writer to it has it. */
export interface WrittenElsewhere {
  /** Its name, as functions give it. */
  readonly cluster: string;
  readonly reference: ClusterReference;
}

/** The parts of a writer. */
export interface WriterParts {
  /** The cluster that it writes to; undefined: the home. */
  readonly elsewhere?: WrittenElsewhere | undefined;
  readonly client: KubeClient;
  /** The function's name. */
  readonly of: string;
  readonly fieldManager: string;
  /** The rights that the function declared, by `<group>/<kind>`. */
  readonly rights: ReadonlyMap<string, Right>;
  /** Field managers of an operator that this function succeeds. */
  readonly succeeds: readonly string[];
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** The objects that this run read, by subject. */
  readonly known: Map<string, KubeObject>;
  /** The objects that this process has just seen; a write adds the state that it was answered with. Absent: none. */
  readonly hints: Hints | undefined;
  /** Learns of its writes, for the watcher of this process; undefined where there is none. */
  readonly own?: OwnRun | undefined;
  /** Kept by the host: what applies led to where a webhook changes our values. */
  readonly memo: AppliedMemo;
  /** The same for what replacements led to. */
  readonly replaced: ReplacedMemo;
  /** Kept by the host: the Events that were told; absent: none. */
  readonly told?: ToldMemo | undefined;
}
