import {
  type CommandObject,
  type CommandReconcile,
  type CommandRedrive,
  commandPause,
  commandRecheckRelease,
  commandReconcile,
  commandRedrive,
  commandResume,
  type Envelope,
  releasePublished,
} from "../../../events/index.ts";
import type { Bus } from "../../bus/contract.ts";
import type { Cause, NewItem } from "../../bus/item.ts";
import type { CommandAnswer, RecordedWrite } from "../../bus/run-record.ts";
import { type CommandFacts, commandName } from "../../function/commands.ts";
import type { FunctionDeclaration } from "../../function/declaration.ts";
import { PAUSED } from "../../function/heeded.ts";
import { describeKey, keyOf, parseKey, subjectOf } from "../../function/key.ts";
import type { KubeClient } from "../../kube/client.ts";
import { factAt } from "../../kube/facts.ts";
import { type Kind, resourceOf } from "../../kube/kind.ts";
import { everyKey } from "../../runner/router.ts";
import { PAUSED_FUNCTIONS, type PausedFunctions } from "./paused-functions.ts";
import { PAUSE_COMMAND, pauseObject } from "./paused-object.ts";

/** The result of a command. All of it becomes durable with the acknowledgement, or was written to the cluster before. */
export interface CarriedOut extends CommandAnswer {
  readonly enqueue: readonly NewItem[];
  readonly writes: readonly RecordedWrite[];
}

export interface CommandParts {
  readonly functions: readonly FunctionDeclaration[];
  readonly client: KubeClient;
  /** The cluster's name, as keys carry it. */
  readonly cluster: string;
  readonly bus: Pick<Bus, "publish" | "deadLetters" | "history">;
  readonly paused: PausedFunctions;
}

/** One command, with what its item says of why. */
export interface Command {
  readonly facts: CommandFacts;
  readonly cause: Cause;
  readonly signal: AbortSignal;
}

const RELEASED = releasePublished.type;

const refused = (message: string): CarriedOut => ({ outcome: "refused", message, enqueue: [], writes: [] });
const unchanged = (message: string): CarriedOut => ({ ...refused(message), outcome: "unchanged" });
const did = (message: string, more: Partial<CarriedOut> = {}): CarriedOut => ({
  outcome: "done",
  message,
  enqueue: [],
  writes: [],
  ...more,
});

/** Carries out one command. Every step may be repeated: what is there already is not done again. */
export async function carryOut(command: Command, parts: CommandParts): Promise<CarriedOut> {
  const { type, payload } = command.facts;
  switch (type) {
    case "command.reconcile":
      return reconcile(commandReconcile.data.parse(payload), command, parts);
    case "command.redrive":
      return redrive(commandRedrive.data.parse(payload), command, parts);
    case "command.pause":
      return setPause(commandPause.data.parse(payload), true, command, parts);
    case "command.resume":
      return setPause(commandResume.data.parse(payload), false, command, parts);
    case "command.recheck-release":
      return recheck(commandRecheckRelease.data.parse(payload), command, parts);
    default:
      return refused(`${type} is no command that this version knows.`);
  }
}

const named = (name: string, { functions }: CommandParts): FunctionDeclaration | undefined =>
  functions.find((one) => one.name === name);
const unknownFunction = (name: string, { functions }: CommandParts): CarriedOut =>
  refused(
    `There is no function ${name}; there are ${functions.map((one) => one.name).join(", ") || "none"}.`,
  );
const keyedBy = (
  of: { readonly group: string; readonly kind: string },
  { functions }: CommandParts,
): readonly FunctionDeclaration[] =>
  functions.filter(({ key: { kind } }) => kind.group === of.group && kind.kind === of.kind);
const kindName = ({ group, kind }: { readonly group: string; readonly kind: string }): string =>
  group === "" ? kind : `${kind}.${group}`;

async function reconcile(
  asked: CommandReconcile["data"],
  command: Command,
  parts: CommandParts,
): Promise<CarriedOut> {
  const { cause } = command;
  const { cluster } = parts;
  const only = asked.function === undefined ? undefined : named(asked.function, parts);
  if (asked.function !== undefined && only === undefined) return unknownFunction(asked.function, parts);
  const target = asked.object ?? asked.kind;
  if (target === undefined) {
    if (only === undefined) return refused("It names neither a function nor an object nor a kind.");
    if (asked.key === undefined)
      return did(`${only.name} looks at all of its keys again.`, {
        enqueue: [everyKey(only, cluster, cause)],
      });
    const fault = keyFault(asked.key, only, parts);
    if (fault !== undefined) return refused(fault);
    return did(`${only.name} looks at ${describeKey(asked.key)} again.`, {
      enqueue: [{ function: only.name, key: asked.key, lane: "urgent", cause }],
    });
  }
  const keyed = keyedBy(target, parts).filter((one) => only === undefined || one === only);
  if (keyed.length === 0)
    return refused(
      `${only === undefined ? "No function" : `${only.name} not`} is keyed by ${kindName(target)}.`,
    );
  const names = keyed.map((one) => one.name).join(", ");
  if (asked.object === undefined)
    return did(`${names} looks at all of ${kindName(target)} again.`, {
      enqueue: keyed.map((one) => everyKey(one, cluster, cause)),
    });
  const { object } = asked;
  const keys = await Promise.all(keyed.map((one) => keyFor(one, object, command, parts)));
  const enqueue = keyed.flatMap((one, index): NewItem[] => {
    const key = keys[index];
    return key === undefined ? [] : [{ function: one.name, key, lane: "urgent", cause }];
  });
  if (enqueue.length === 0) return refused(`There is no ${kindName(object)} ${placeName(object)}.`);
  return did(`${names} looks at ${kindName(object)} ${placeName(object)} again.`, { enqueue });
}

const placeName = ({ namespace, name }: CommandObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** The key under which a function sees the object. Where a fact groups it, the object is asked for it; absent if that is gone. */
async function keyFor(
  { key }: FunctionDeclaration,
  at: CommandObject,
  { signal }: Command,
  { client, cluster }: CommandParts,
): Promise<string | undefined> {
  const located = {
    cluster,
    name: at.name,
    namespace: key.kind.scope === "Cluster" ? undefined : at.namespace,
  };
  if (key.by !== "fact") return keyOf(key, located, {});
  const live = await client.get(resourceOf(key.kind), at, { signal });
  const path = key.kind.facts[key.fact ?? ""];
  if (live === undefined || path === undefined) return undefined;
  return keyOf(key, located, { [key.fact ?? ""]: factAt(live, path) });
}

/** The fault of a key, as one sentence. */
function keyFault(
  text: string,
  { name, key: shape }: FunctionDeclaration,
  { cluster }: CommandParts,
): string | undefined {
  const { kind } = shape;
  try {
    const key = parseKey(text);
    if (key.of === "sweep") return `${text} is a sweep: leave the key out to look at all of them.`;
    if (key.group !== kind.group || key.kind !== kind.kind)
      return `${name} is keyed by ${kindName(kind)}, and ${text} is none.`;
    if (key.cluster !== cluster) return `${text} lies in ${key.cluster}; this host serves ${cluster}.`;
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof TypeError || thrown instanceof URIError)) throw thrown;
    const place = { cluster, name: "NAME", namespace: kind.scope === "Cluster" ? undefined : "NAMESPACE" };
    return `${thrown.message}; one of ${name}: ${keyOf(shape, place, { [shape.fact ?? ""]: "VALUE" })}.`;
  }
}

async function redrive(
  asked: CommandRedrive["data"],
  { cause }: Command,
  parts: CommandParts,
): Promise<CarriedOut> {
  const { deadLetters } = parts.bus;
  if (asked.function === "-") {
    if ((await deadLetters.show(asked)) === undefined)
      return refused(
        `There is no refused event ${asked.key}: \`reveille dead-letters list\` names those that there are.`,
      );
    await deadLetters.redrive(asked, asked.askedBy);
    const kept = await deadLetters.show(asked);
    return kept === undefined
      ? did("The event was accepted.")
      : refused(`Refused again: ${kept.error.message}`);
  }
  const declaration = named(asked.function, parts);
  if (declaration === undefined) return unknownFunction(asked.function, parts);
  if ((await deadLetters.show(asked)) === undefined) {
    // A sweep may be dead as well, and be so no more.
    const fault = asked.key.startsWith("sweep:") ? undefined : keyFault(asked.key, declaration, parts);
    if (fault !== undefined) return refused(fault);
    return unchanged(`${declaration.name} ${describeKey(asked.key)} is not among the dead letters.`);
  }
  // With the acknowledgement, not before: a redelivery finds the key alive and does nothing.
  return did(`${asked.function} looks at ${describeKey(asked.key)} again.`, {
    enqueue: [{ function: asked.function, key: asked.key, lane: "urgent", cause }],
  });
}

async function setPause(
  asked: { readonly function?: string | undefined; readonly object?: CommandObject | undefined } & {
    readonly askedBy: string;
    readonly reason?: string | undefined;
  },
  paused: boolean,
  command: Command,
  parts: CommandParts,
): Promise<CarriedOut> {
  const { askedBy, reason, object } = asked;
  const { facts, cause, signal } = command;
  const pause = {
    paused,
    at: facts.time,
    command: facts.id,
    askedBy,
    ...(reason !== undefined && { reason }),
  };
  const state = paused ? "paused" : "no longer paused";
  if (object === undefined) {
    const declaration = asked.function === undefined ? undefined : named(asked.function, parts);
    if (declaration === undefined) return unknownFunction(asked.function ?? "", parts);
    const { outcome, sent } = await parts.paused.set(declaration.name, pause);
    const written = { subject: `/ConfigMap//${PAUSED_FUNCTIONS}`, paths: [`data.${declaration.name}`] };
    return {
      outcome,
      message: sentence(outcome, declaration.name, state),
      writes: [{ verb: "apply", ...written, sent }],
      // Its keys, which it was not let look at while it was paused.
      enqueue: outcome === "done" && !paused ? [everyKey(declaration, parts.cluster, cause)] : [],
    };
  }
  const kind: Kind | undefined = keyedBy(object, parts)[0]?.key.kind;
  if (kind === undefined) return refused(`No function is keyed by ${kindName(object)}.`);
  const name = `${kindName(object)} ${placeName(object)}`;
  const came = await pauseObject(parts.client, kind, object, pause, signal);
  if (came === undefined) return refused(`There is no ${name}.`);
  const { uid, resourceVersion } = came.object.metadata;
  const paths = [PAUSED, PAUSE_COMMAND].map((annotation) => `metadata.annotations[${annotation}]`);
  return {
    outcome: came.outcome,
    message: sentence(came.outcome, name, state),
    writes: [
      { verb: "patch", subject: subjectOf(kind, object), uid, resourceVersion, paths, sent: came.sent },
    ],
    // Its change wakes whoever is concerned.
    enqueue: [],
  };
}

const sentence = (outcome: "done" | "unchanged" | "superseded", what: string, state: string): string =>
  outcome === "done"
    ? `${what} is ${state}.`
    : outcome === "unchanged"
      ? `${what} was ${state} already.`
      : `A later command about ${what} came before this one.`;

async function recheck(
  { origin, version }: { readonly origin: string; readonly version: string },
  { facts }: Command,
  { bus, functions }: CommandParts,
): Promise<CarriedOut> {
  const wakes = functions.some((one) => one.wakes.some(({ source }) => source === RELEASED));
  if (!wakes) return unchanged("No function here wakes on releases, so nobody looks.");
  const event: Envelope = {
    specversion: "1.0",
    // The id is of the command, not of the release: it asks although the release is known already.
    id: `recheck/${commandName(facts.id)}`,
    type: RELEASED,
    source: "/commands",
    subject: `${origin}@${version}`.slice(0, 1024),
    time: facts.time,
    datacontenttype: "application/json",
    data: { origin, version },
  };
  // The event was published already where this host died between the two.
  if ((await bus.history.event(event.id)) === undefined) await bus.publish([event]);
  return did(`Whoever uses ${origin} ${version} looks at it again.`, {
    writes: [{ verb: "emit", subject: `/release.published//${origin}@${version}`, paths: [], sent: true }],
  });
}
