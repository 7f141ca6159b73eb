import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { Mode } from "../graph/index.ts";
import { DELETE } from "./annotations.ts";
import type { ApplyFault } from "./verdict.ts";

/** The meaning of a manifest's delete annotation; undefined where it has none and is to be applied. */
export type DeleteMark = { readonly marked: true } | { readonly marked: false; readonly fault: ApplyFault };

/** A value other than `true` is an error: the manifest is then neither applied nor deleted. */
export function deleteMark(manifest: KubeObject): DeleteMark | undefined {
  const value = manifest.metadata.annotations?.[DELETE];
  if (value === undefined) return undefined;
  if (value === "true") return { marked: true };
  return { marked: false, fault: { message: `Invalid delete annotation "${DELETE}" value: "${value}"` } };
}

/** The part of a deletion that the work record keeps. */
export interface DeleteRecord {
  /** The uid of the object whose deletion was requested. */
  readonly uid: string;
  /** It was seen to be gone. */
  readonly gone: boolean;
}

/** The next step for an object whose manifest is marked; the task itself is always done, nothing waits for a deletion. */
export type Deletion =
  /** It is not there. */
  | { readonly deletion: "gone"; readonly record?: DeleteRecord }
  /** Delete it now: the one request. `live` is guarded by its uid. */
  | { readonly deletion: "request"; readonly live: KubeObject; readonly record: DeleteRecord }
  /** Requested, and not gone yet: stands against updates to another minor version. */
  | { readonly deletion: "pending"; readonly record: DeleteRecord }
  /** It is there and stays: deletions are only requested while updating. */
  | { readonly deletion: "left" }
  /** Somebody made it anew after it had gone: worth a warning, nothing more. */
  | { readonly deletion: "reappeared"; readonly record: DeleteRecord };

/**
 * The state of the deletion of a marked manifest's object. `record` is the one that was returned for it last. Without one a
 * request may be made a second time, which is harmless.
 */
export function deletionOf(
  live: KubeObject | undefined,
  { mode, record }: { readonly mode: Mode; readonly record?: DeleteRecord | undefined },
): Deletion {
  if (live === undefined)
    return record === undefined
      ? { deletion: "gone" }
      : { deletion: "gone", record: { ...record, gone: true } };
  const uid = live.metadata.uid ?? "";
  if (record !== undefined && (record.gone || record.uid !== uid))
    return { deletion: "reappeared", record: { ...record, gone: true } };
  if (record !== undefined || live.metadata.deletionTimestamp !== undefined)
    return { deletion: "pending", record: record ?? { uid, gone: false } };
  return mode === "Updating"
    ? { deletion: "request", live, record: { uid, gone: false } }
    : { deletion: "left" };
}
