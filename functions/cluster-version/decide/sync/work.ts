import { createHash } from "node:crypto";
import type { HistoryEntry } from "../../kinds/index.ts";
import { buildGraph, type Mode, type Task, type TaskGraph, tasksOf } from "../graph/index.ts";
import { exclusionOf, type Inclusion, type Payload } from "../payload/index.ts";
import { modeOf } from "./history.ts";
import { freshWork, type WorkRecord } from "./work-record.ts";

/** All that decides what is to be applied. */
export interface WorkOrder {
  /** The uid of the ClusterVersion. */
  readonly uid: string;
  readonly image: string;
  readonly force: boolean;
  readonly payload: Payload;
  readonly history: readonly HistoryEntry[];
  /** Asked again before a manifest is applied: it changes without a new payload. */
  readonly inclusion: Required<Pick<Inclusion, "featureGates" | "capabilities" | "overrides">>;
}

/** One release being applied. */
export interface SyncWork {
  readonly payload: Payload;
  readonly mode: Mode;
  readonly tasks: readonly Task[];
  /** Tasks that are not wanted now: they count among all, never among those done. */
  readonly excluded: ReadonlySet<number>;
  readonly graph: TaskGraph;
  /** The progress so far. */
  readonly record: WorkRecord;
}

/** The work that an order makes of what is recorded. New work begins anew; only its deletions are remembered. */
export function workOf(order: WorkOrder, stored: WorkRecord | undefined): SyncWork {
  const record = recordFor(order, stored);
  const tasks = tasksOf(order.payload.manifests);
  const excluded = tasks.filter(({ manifest }) => exclusionOf(manifest, order.inclusion) !== undefined);
  const attempt = Math.max(0, ...record.failures.map(({ tries }) => tries));
  return {
    payload: order.payload,
    mode: record.mode,
    tasks,
    excluded: new Set(excluded.map(({ index }) => index)),
    graph: buildGraph(tasks, record.mode, attempt),
    record,
  };
}

function recordFor(order: WorkOrder, stored: WorkRecord | undefined): WorkRecord {
  const { uid, image, force, history } = order;
  const asked = { uid, work: JSON.stringify([image, force]), settings: settingsOf(order) };
  const told = modeOf(history, image);
  if (stored === undefined || stored.uid !== uid) return freshWork({ ...asked, mode: told });
  const { deletions } = stored;
  if (stored.work !== asked.work || stored.settings !== asked.settings)
    return freshWork({ ...asked, deletions, mode: told === "Initializing" ? told : "Updating" });
  // Recorded as over, and the history does not say so yet.
  if (stored.mode === "Reconciling" && told !== "Reconciling")
    return freshWork({ ...asked, deletions, mode: told });
  return stored;
}

function settingsOf({ payload, inclusion }: WorkOrder): string {
  const { featureGates, capabilities, overrides } = inclusion;
  const settings = [
    payload.versionHash,
    [...featureGates].sort(),
    [...capabilities.enabled].sort(),
    overrides,
  ];
  return createHash("sha256").update(JSON.stringify(settings)).digest("base64url").slice(0, 16);
}
