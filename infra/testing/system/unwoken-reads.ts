import assert from "node:assert/strict";
import type { AnyOutcome, FunctionDeclaration } from "../../../shared/function/declaration.ts";
import type { Reader, Where } from "../../../shared/function/reader.ts";
import type { System } from "../../../shared/function/system.ts";
import { noteUnreadable, unreadableIn } from "../../../shared/function/unreadable.ts";
import type { AnyObject, Kind } from "../../../shared/kube/kind.ts";
import { isWoken, pathText, type RunSubject, wakesOn } from "./wakes-on.ts";
import { unwatchedValue, watchedObject } from "./watched-object.ts";

/** A field that a function read of an object, and whose change does not wake it. */
export interface UnwokenRead {
  readonly function: string;
  readonly kind: string;
  /** `status.phase`; also stands for all that lies below. */
  readonly path: string;
}

/** One that is meant, and why. */
export interface MeantRead extends UnwokenRead {
  readonly why: string;
}

/** A system whose functions are watched while they observe and decide. */
export interface WatchedSystem {
  /** The system to run in place of the system itself. */
  readonly system: System;
  /** The reads in vain since the last call. */
  take(): readonly UnwokenRead[];
}

interface Subject {
  readonly self?: AnyObject;
  readonly members?: readonly AnyObject[];
  readonly group?: string;
}
type Scope = Subject & { readonly read: Reader<string> };
type Note = (read: UnwokenRead) => void;

/**
 * A function wakes where a fact of another kind changes, and by nothing else of it: a decision that rests on another field goes stale
 * without anybody noticing. Objects that functions read tell which fields are looked at.
 */
export function watchReads(system: System): WatchedSystem {
  let found = new Map<string, UnwokenRead>();
  const note: Note = (read) => found.set(`${read.function} ${read.kind} ${read.path}`, read);
  return {
    system: { ...system, functions: system.functions.map((declaration) => watched(declaration, note)) },
    take: () => {
      const taken = [...found.values()];
      found = new Map();
      return taken;
    },
  };
}

function watched(declaration: FunctionDeclaration, note: Note): FunctionDeclaration {
  const { observe, reconcile, finalizer } = declaration;
  return {
    ...declaration,
    ...(observe && {
      observe: (scope: never) =>
        observe({ ...(scope as Scope), read: watchedReader(declaration, scope as Scope, note) } as never),
    }),
    reconcile: (world, context) => plain(reconcile(world, context)),
    ...(finalizer && {
      finalizer: {
        ...finalizer,
        finalize: (world: never, context: never) => plain(finalizer.finalize(world, context)),
      },
    }),
  };
}

/** An outcome for the runner, which holds objects themselves. */
function plain(outcome: AnyOutcome): AnyOutcome {
  const { conclude } = outcome;
  unwatchedValue(outcome);
  return conclude === undefined
    ? outcome
    : { ...outcome, conclude: (results) => unwatchedValue(conclude(results)) };
}

function watchedReader(declaration: FunctionDeclaration, scope: Scope, note: Note): Reader<string> {
  const { read } = scope;
  const mine = scope.members ?? (scope.self === undefined ? [] : [scope.self]);
  const subject: RunSubject = { uids: new Set(mine.map(({ metadata }) => metadata.uid)), group: scope.group };
  const noteOf = (kind: Kind, object: AnyObject | undefined) => {
    const wake = wakesOn(declaration, kind, subject, object);
    return (path: readonly string[], value: unknown): void => {
      if (!isWoken(wake, path, value))
        note({ function: declaration.name, kind: kind.kind, path: pathText(path) });
    };
  };
  const one = (kind: Kind, object: AnyObject): AnyObject => watchedObject(object, noteOf(kind, object));
  const reader = {
    ...read,
    get: async (kind: Kind, at: never) => {
      const object = (await read.get(kind as never, at)) as AnyObject | undefined;
      return object && one(kind, object);
    },
    list: async (kind: Kind, where: Where = {}) => {
      const select = noteOf(kind, undefined);
      for (const label of Object.keys(where.labels ?? {})) select(["metadata", "labels", label], "selected");
      const isOfChildren =
        where.ownedBy !== undefined &&
        declaration.owns.includes(kind) &&
        subject.uids.has(where.ownedBy.metadata.uid);
      if (where.ownedBy !== undefined && !isOfChildren) select(["metadata", "ownerReferences"], "selected");
      const objects = (await read.list(kind as never, where as never)) as readonly AnyObject[];
      return noteUnreadable(
        objects.map((object) => one(kind, object)),
        unreadableIn(objects).map((unreadable) => unreadable as never),
      );
    },
    pick: async (kind: Kind, where: Where, part: (object: AnyObject) => unknown) => {
      const objects = await reader.list(kind, where);
      return noteUnreadable(
        objects.map(part),
        unreadableIn(objects).map((unreadable) => unreadable as never),
      );
    },
  };
  return reader as unknown as Reader<string>;
}

/** Fails where a function read what does not wake it, and nobody has said that this is meant. */
export function assertWoken(reads: readonly UnwokenRead[], meant: readonly MeantRead[] = []): void {
  const isMeant = (read: UnwokenRead): boolean =>
    meant.some(
      (one) =>
        one.function === read.function &&
        one.kind === read.kind &&
        (read.path === one.path || [".", "["].some((sign) => read.path.startsWith(`${one.path}${sign}`))),
    );
  const lines = reads
    .filter((read) => !isMeant(read))
    .map(({ function: name, kind, path }) => `${name} reads ${path} of ${kind}`);
  assert.deepEqual(
    lines,
    [],
    `a change of what is read would not wake the function: make it a fact of its kind, or say under meantReads of the proof why it need not wake\n${lines.join("\n")}`,
  );
}
