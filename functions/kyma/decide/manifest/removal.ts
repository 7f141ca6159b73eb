import {
  type Effect,
  later,
  type Obj,
  type Results,
  remove,
  type Time,
} from "../../../../shared/function/index.ts";
import { fieldOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import {
  FORMER_MANIFEST_FINALIZERS,
  MANIFEST_FINALIZER,
  type Manifest,
  othersOn,
  RuntimeObject,
} from "../../kinds/index.ts";
import { endingOf } from "./ending.ts";
import { installation } from "./install.ts";
import { isKept, recordWithout } from "./inventory.ts";
import { leftNotes } from "./left.ts";
import { goneWait, manifestWait, namedOf, placeOf } from "./named.ts";
import { inServedVersion } from "./objects.ts";
import { RETRY } from "./refusal.ts";
import { statusOf } from "./status.ts";
import { openOf, toldAgain } from "./trusted.ts";
import { nextWave } from "./waves.ts";
import type { Farewell, FoundObject, Live, ManifestWorld, Named, Target } from "./world.ts";

type Self = Obj<typeof Manifest>;
type At<Step extends ManifestWorld["step"]> = Extract<ManifestWorld, { readonly step: Step }>;

/** The most blockers that a status names, and that are waited for. */
const MOST_NAMED = 10;

/**
 * Users' objects need the operator yet, or the module's own object does: it stays, and is brought to what the Manifest says meanwhile.
 * Nothing is taken away but that own object, once no other is left.
 */
export function blocked(self: Self, { there, blockers, own, install }: At<"blocked">, now: Time) {
  const work = install === undefined ? undefined : installation(self, there.cluster, install, now);
  const removal: Effect<Target>[] =
    own === undefined || own.metadata.deletionTimestamp !== undefined || blockers.length > 0
      ? []
      : [remove(RuntimeObject, own)];
  const open = (blockers.length > 0 ? blockers : own === undefined ? [] : [namedOf(own)])
    .slice(0, MOST_NAMED)
    // Whoever changed the definition had its kind served otherwise until it was applied above.
    .map((one) => inServedVersion(one, work?.definitions ?? []));
  return {
    effects: [work?.effects ?? [], removal],
    conclude: (results: Results) => {
      const report = work?.report(results);
      const isUneasy = report?.state === "Error" || report?.state === "Warning";
      const { moduleCR: _, ...said } = report ?? { state: "Processing", message: "" };
      return endingOf(
        self,
        there,
        {
          ...said,
          state: "Deleting",
          message: [blockedText(blockers, own), isUneasy ? report.message : ""]
            .filter((text) => text !== "")
            .join("; "),
          waits: [...open.map(goneWait), ...(report?.waits ?? [])],
          again: report?.again ?? false,
        },
        now,
      );
    },
  };
}

function blockedText(blockers: readonly Named[], own: Live | undefined): string {
  if (blockers.length === 0)
    return own === undefined
      ? ""
      : `waits for its default configuration object ${placeOf(namedOf(own))} to be gone${heldBy(own)}`;
  const named = blockers.slice(0, MOST_NAMED).map(placeOf).join(", ");
  const more = blockers.length - MOST_NAMED;
  return `waits for ${blockers.length} objects of the kind ${blockers[0]?.kind} to be deleted: ${named}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The reason why an object stays, in words: its finalizers, or of a Namespace what lies in it. */
function heldBy({ kind, metadata, status }: Live): string {
  if (metadata.deletionTimestamp === undefined) return "";
  const content = kind === "Namespace" ? listOf(fieldOf(status, "conditions")).flatMap(remaining) : [];
  return [
    ...(metadata.finalizers.length === 0 ? [] : [`, which ${metadata.finalizers.join(", ")} must let go`]),
    ...(content.length === 0 ? [] : [` (${content.join(" ")})`]),
  ].join("");
}

/** The server's own sentence about what is left in a Namespace. */
const remaining = (condition: unknown): readonly string[] =>
  /^Namespace(Content|Finalizers)Remaining$/.test(textOf(fieldOf(condition, "type"))) &&
  fieldOf(condition, "status") === "True"
    ? [textOf(fieldOf(condition, "message"))]
    : [];

/** The objects of a module that stand and are to go with it. */
const goingOf = (found: readonly FoundObject[]) =>
  found
    .filter(isThere)
    .filter(({ entry, claim }) => !isKept(entry) && (claim === undefined || claim.isPassing));

/** True once nothing stands in the runtime that is the module's own. */
export const isGone = (found: readonly FoundObject[]): boolean => goingOf(found).length === 0;

/** Takes the objects of a module away in two waves: its operator goes last, with its rights and definitions. */
export function removing(self: Self, { there: runtime, found, farewells }: At<"removal">, now: Time) {
  const mine = goingOf(found);
  const over = found
    .filter((one) => !mine.some(({ entry }) => entry === one.entry))
    .map(({ entry }) => entry);
  const synced = recordWithout(self.status?.synced ?? [], over);
  const notes = leftNotes(self, found);
  if (mine.length === 0) return { effects: notes, ...takingLeave(self, farewells, now) };
  const wave = nextWave(mine.filter(({ claim }) => claim === undefined));
  const passing = mine.filter(({ claim }) => claim !== undefined);
  const removals = wave
    .filter(({ live }) => live.metadata.deletionTimestamp === undefined)
    .map(({ live }) => remove(RuntimeObject, live));
  const named = wave.find(({ live }) => heldBy(live) !== "") ?? wave[0];
  return {
    effects: [removals, notes],
    conclude: (results: Results) => {
      const refused = results.failed[0]?.error.message;
      const open =
        wave.length === 0
          ? passing.map(
              ({ live, claim }) =>
                `: Manifest ${claim?.by} has ${live.kind} ${placeOf(namedOf(live))} too, and goes first`,
            )[0]
          : named === undefined
            ? ""
            : `: ${named.live.kind} ${placeOf(namedOf(named.live))}${heldBy(named.live)}`;
      const message = refused ?? `waits for ${mine.length} objects to be gone${open}`;
      return endingOf(
        self,
        runtime,
        {
          state: "Deleting",
          message,
          synced,
          installation: false,
          waits: [
            ...wave.map(({ live }) => goneWait(namedOf(live))),
            ...passing.map(({ claim }) => manifestWait(claim?.by ?? "", self.metadata.namespace)),
          ],
          again: refused === undefined,
          ...(refused !== undefined && { wakeAt: { removal: later(now, RETRY) } }),
        },
        now,
      );
    },
  };
}

/** The end of a module of which nothing is left, once its handlers know. */
export function takingLeave(self: Self, farewells: readonly Farewell[] = [], now: Time) {
  const open = openOf(farewells);
  const state = self.status?.state === "Unmanaged" ? "Unmanaged" : "Deleting";
  if (open === undefined) {
    const others = othersOn(self, [MANIFEST_FINALIZER, ...FORMER_MANIFEST_FINALIZERS]);
    if (others === undefined) return { finalized: true as const };
    const message = `the module is gone; its Manifest stays as long as its finalizers name ${others}`;
    return { status: statusOf(self, { state, message, synced: [] }, now), finalized: true as const };
  }
  return {
    status: statusOf(self, { state, message: open.message, synced: [] }, now),
    wakeAt: { handler: toldAgain(open, now) },
  };
}

const isThere = (one: FoundObject): one is FoundObject & { readonly live: Live } => one.live !== undefined;
