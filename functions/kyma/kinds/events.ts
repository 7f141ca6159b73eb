import * as z from "zod";
import { defineEvent, type Time } from "../../../shared/function/index.ts";

/** The schema of a runtime's identity: the common name of its certificate. */
export const runtimeId = z.string().min(1).max(256);

const watchedObject = z.object({
  group: z.string().max(256),
  version: z.string().max(256),
  kind: z.string().max(256),
  namespace: z.string().max(256),
  name: z.string().max(256),
});
/** An object of a runtime, as far as the runtime says: what it does not say is empty. */
export type WatchedObject = z.output<typeof watchedObject>;

/** Something that a Watcher names has changed in a runtime, or may have: whoever hears it looks there. */
export const runtimeChanged = defineEvent(
  "runtime.changed",
  z.object({
    runtimeId,
    /** The object, as far as the runtime says; it proves nothing. */
    watched: watchedObject.optional(),
    /** Names the one delivery. */
    delivery: z.string().min(1).max(256),
  }),
  ({ runtimeId: runtime, delivery }) => idOf("runtime.changed", runtime, delivery),
);

const sign = z.object({
  runtimeId,
  /** The time of the last sign of life. */
  heard: z.string().max(32),
  /** The start of the process that heard it. */
  host: z.string().max(64),
});

/** The program that watches in a runtime is alive and can reach the control plane: it has begun, or is back. */
export const runtimeAlive = defineEvent("runtime.alive", sign, (it) => idOfSign("runtime.alive", it));

/** The program that watches in a runtime has not said for too long that it is alive. */
export const runtimeSilent = defineEvent("runtime.silent", sign, (it) => idOfSign("runtime.silent", it));

/** The gateway and the runtimes are to trust another authority. */
export const authorityChanged = defineEvent(
  "runtime.authority",
  z.object({ namespace: z.string().max(63), addedAt: z.string().max(64) }),
  ({ namespace, addedAt }) => idOf("runtime.authority", namespace, addedAt),
);

/** At most as long as an event's id may be, and one word: what led to a run is told by such ids, with spaces between. */
const idOf = (type: string, runtime: string, delivery: string): string =>
  [type, runtime.slice(0, 100), delivery.slice(0, 100)].map((part) => part.replaceAll(/\s/g, "_")).join("/");

const idOfSign = (type: string, { runtimeId: runtime, heard, host }: z.output<typeof sign>): string =>
  idOf(type, runtime, `${heard} ${host}`);

/** A sign of life, or of silence, as an event's id names it. */
export interface Sign {
  readonly state: "alive" | "silent";
  readonly heard: Time;
  readonly host: string;
}

/** The signs that ids of events name; other ids name none. */
export const signsIn = (ids: readonly string[]): readonly Sign[] =>
  ids.flatMap((id): readonly Sign[] => {
    const state = id.startsWith(`${runtimeAlive.id}/`)
      ? "alive"
      : id.startsWith(`${runtimeSilent.id}/`)
        ? "silent"
        : undefined;
    const [heard = "", host = ""] = id.slice(id.lastIndexOf("/") + 1).split("_");
    return state === undefined || Number.isNaN(Date.parse(heard)) ? [] : [{ state, heard, host }];
  });
