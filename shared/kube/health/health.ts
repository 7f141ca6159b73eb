import { fieldOf, isRecord, listOf, textOf } from "../../json/fields.ts";

/** The part of an object that health is read of: any object of its kind fits, typed or not. */
export interface Readable {
  readonly metadata: {
    readonly generation?: number | undefined;
    readonly deletionTimestamp?: string | undefined;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** The words of a condition, or of a part of a status that stands for one; empty where it says nothing. */
export interface Statement {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The reason why an object is not ready. */
export type Unready =
  /** Its status tells of a generation before this one. */
  | "Outdated"
  /** The controller that fills its status has not begun. */
  | "Unobserved"
  | "RollingOut"
  | "Running"
  | "Suspended"
  /** A container cannot begin; the statements say which reason it is given. */
  | "ContainerWaiting"
  | "NotEstablished"
  /** Pods cannot be made. */
  | "ReplicaFailure"
  /** Neither there nor coming. */
  | "Unavailable"
  | "ProgressDeadlineExceeded"
  | "Failed"
  | "NamesNotAccepted";

/**
 * The health of an object, as data; its reader chooses the words. `progressing`: not yet, and nothing has failed. `failed`: it
 * will not become ready by waiting, or its controller has given up for now.
 */
export type Health = { readonly deleting: boolean } & (
  | { readonly state: "ready" }
  | {
      readonly state: "progressing" | "failed";
      readonly why: Unready;
      /** The parts of the status that say so, in the order of the reasons above; may be empty. */
      readonly said: readonly Statement[];
    }
);

/** True where it is being deleted: a matter of its own, since its status may stay as it was. */
const isDeleting = ({ metadata }: Readable): boolean => metadata.deletionTimestamp !== undefined;

export const ready = (object: Readable): Health => ({ deleting: isDeleting(object), state: "ready" });
/** Statements that are not there are left out. */
export const unready = (
  object: Readable,
  state: "progressing" | "failed",
  why: Unready,
  ...said: readonly (Statement | undefined)[]
): Health => ({
  deleting: isDeleting(object),
  state,
  why,
  said: said.filter((one) => one !== undefined),
});

/** The condition of that type, or undefined where the status has none. Reads no more of it than it is asked for. */
export function statementOf({ status }: Readable, type: string): Statement | undefined {
  const found = listOf(fieldOf(status, "conditions")).find((one) => fieldOf(one, "type") === type);
  if (!isRecord(found)) return undefined;
  return {
    get status() {
      return textOf(found.status);
    },
    get reason() {
      return textOf(found.reason);
    },
    get message() {
      return textOf(found.message);
    },
  };
}

/** A number of a status or spec: 0 where there is none. */
export const numberOf = (from: unknown, field: string): number => {
  const value = fieldOf(from, field);
  return typeof value === "number" ? value : 0;
};

/** The number that a spec wants, or the server's default where it does not say. */
export const wantedOf = (from: unknown, field: string, otherwise: number): number =>
  typeof fieldOf(from, field) === "number" ? numberOf(from, field) : otherwise;

/** True where a status tells of a generation before this one: then it says nothing about it. */
export const isOutdated = ({ metadata, status }: Readable): boolean =>
  typeof fieldOf(status, "observedGeneration") === "number" && !isObserved({ metadata, status });

/** True where a status tells of this generation. */
export const isObserved = ({ metadata, status }: Readable): boolean =>
  numberOf(status, "observedGeneration") >= (metadata.generation ?? 0);
