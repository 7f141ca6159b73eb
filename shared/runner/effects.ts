import type { FunctionDeclaration } from "../function/declaration.ts";
import type {
  AtMost,
  Effect,
  EffectError,
  EffectPlan,
  Effects,
  InOrder,
  Result,
  Results,
} from "../function/effects.ts";
import { subjectOf } from "../function/key.ts";
import { isSlot } from "../function/slots.ts";
import { DeclarationError } from "../function/system.ts";
import { referenceOf } from "../kube/cluster-names.ts";
import { KubeError } from "../kube/errors.ts";
import type { AnyObject, Kind } from "../kube/kind.ts";
import { parseObject } from "../kube/read.ts";
import { type Clients, clientAt } from "./clients.ts";
import { cannotBelong } from "./desired.ts";
import { clusterOf, ofKnownKind, type SlotsInEffects, type Write } from "./effect-place.ts";
import { effectErrorOf, isStale, LeaseLostError, toldInLogs } from "./errors.ts";
import { lookAhead, manyLabelled, type SeenAhead } from "./look-ahead.ts";
import type { CallPort } from "./ports.ts";
import type { Recorder } from "./recorder.ts";
import { missingFor, type Right } from "./rights.ts";
import { Turns } from "./turns.ts";
import type { Writer } from "./writer.ts";
import type { Written } from "./writer-parts.ts";

export interface EffectParts {
  readonly declaration: Pick<FunctionDeclaration, "name" | "emits" | "uses" | "adopts">;
  readonly rights: ReadonlyMap<string, Right>;
  readonly writer: Writer;
  readonly recorder: Recorder;
  readonly now: string;
  /** Throws `LeaseLostError` where the item is no longer held. */
  readonly check: () => Promise<void>;
  readonly emit: (type: string, id: string, payload: unknown) => Promise<void>;
  readonly call: CallPort;
  readonly slots: SlotsInEffects;
  /** The clients of other clusters. */
  readonly clients: Clients;
  readonly signal: AbortSignal;
  /** True where the object is paused: then nothing of it or of its children is written. */
  readonly paused: (object: AnyObject) => boolean;
}

/**
 * The number of effects of one pass that are under way at once: more only makes the server slower, and the lease's check older.
 */
const UNDER_WAY = 16;

interface Performance extends EffectParts {
  readonly results: Map<Effect, Result<unknown>>;
  readonly turns: Turns;
  /** The objects of applies that have just begun, as lists showed them. */
  readonly ahead: ReadonlyMap<Effect, SeenAhead>;
}

const NOTHING: ReadonlyMap<Effect, SeenAhead> = new Map();

/** Performs a tree of effects and keeps what came of each. Stale reads and a lost lease end the whole pass. */
export async function perform(work: Effects | undefined, parts: EffectParts): Promise<Results> {
  const results = new Map<Effect, Result<unknown>>();
  if (work !== undefined)
    await branch(work, { ...parts, results, turns: new Turns(UNDER_WAY), ahead: NOTHING });
  return resultsOf(results);
}

/** The results of a pass that has no effects. */
export const nothingDone = (): Results => resultsOf(new Map());

const isList = (work: Effects): work is readonly Effects[] => Array.isArray(work);
const isInOrder = (work: Effects): work is InOrder => "inOrder" in work;
const isAtMost = (work: Effects): work is AtMost => "atMost" in work;
const isLeaf = (work: Effects): work is Effect => "plan" in work;

/** An object that a function takes for absent: its apply is fenced, and finds out. */
const ABSENT: SeenAhead = { live: undefined, isGuess: true };

/** Resolves to whether all went well. */
async function branch(work: Effects, parts: Performance): Promise<boolean> {
  if (isList(work)) {
    const many = manyLabelled(work.filter(isLeaf));
    const ahead = many.length === 0 ? NOTHING : await parts.turns.take(() => lookAhead(many, parts));
    const within = { ...parts, ahead };
    return sideBySide(work.map((each) => branch(each, within)));
  }
  if (isAtMost(work)) {
    const turns = new Turns(work.atMost);
    return sideBySide(work.of.map((each) => turns.take(() => branch(each, parts))));
  }
  if (isInOrder(work)) {
    for (const each of work.inOrder) if (!(await branch(each, parts))) return false;
    return true;
  }
  return parts.turns.take(() => leaf(work, parts));
}

/** One that ends the pass lets the others come to their end first. */
async function sideBySide(branches: readonly Promise<boolean>[]): Promise<boolean> {
  const ends = await Promise.allSettled(branches);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return ends.every((end) => end.status === "fulfilled" && end.value);
}

async function leaf(effect: Effect, parts: Performance): Promise<boolean> {
  await parts.check();
  try {
    parts.results.set(effect, await performOne(effect, parts));
    return true;
  } catch (error) {
    if (error instanceof LeaseLostError || error instanceof DeclarationError || isStale(error)) throw error;
    parts.results.set(effect, { state: "failed", error: effectErrorOf(error) });
    recordRefusal(effect.plan, error, parts.recorder);
    return false;
  }
}

/** The history tells what was refused as it tells what was written, the request included: a status tells the sentence alone. */
function recordRefusal(plan: EffectPlan, error: unknown, recorder: Recorder): void {
  const written =
    plan.effect === "call" || plan.effect === "emit" || plan.effect === "note" ? undefined : plan;
  if (written === undefined || isSlot(written.kind)) return;
  const { metadata } = "object" in written ? written.object : written.body;
  const owner = "owner" in written ? written.owner : undefined;
  const namespace =
    written.kind.scope === "Cluster" ? undefined : (metadata.namespace ?? owner?.metadata.namespace);
  recorder.wrote(
    {
      verb: written.effect,
      subject: subjectOf(written.kind, { cluster: metadata.cluster, name: metadata.name, namespace }),
      paths: [],
      sent: error instanceof KubeError,
      error: toldInLogs(error).message,
    },
    false,
  );
}

async function performOne(effect: Effect, parts: Performance): Promise<Result<unknown>> {
  const { plan } = effect;
  const missing = missingFor(plan, parts.declaration, parts.rights);
  if (missing !== undefined)
    throw new DeclarationError(
      "UNDECLARED_WRITE",
      `${parts.declaration.name} writes what it does not declare: add ${missing} to its declaration.`,
    );
  if (plan.effect === "call") return parts.call(plan);
  const about = "owner" in plan ? plan.owner : "object" in plan ? plan.object : undefined;
  if (about !== undefined && parts.paused(about)) return { state: "done", value: undefined, changed: false };
  const cluster = clusterOf(plan, parts.declaration);
  const known = await ofKnownKind(plan, cluster, parts.slots);
  try {
    // A slot's kind is declared under the slot's own name.
    const adopts = "kind" in plan ? parts.declaration.adopts[plan.kind.id] : undefined;
    const expected = plan.effect === "apply" && plan.unread === true ? ABSENT : undefined;
    const ahead = parts.ahead.get(effect) ?? expected;
    const to = { adopts, writer: writerTo(plan, cluster, parts), ahead };
    return resultOf(known, await write(known, to, parts), cluster);
  } catch (error) {
    if (error instanceof KubeError && error.kind === "kindMissing" && "kind" in known)
      parts.slots.forget(known.kind, cluster);
    throw error;
  }
}

function writerTo(plan: Write, cluster: string | undefined, { writer, clients }: EffectParts): Writer {
  if (cluster === undefined || !("kind" in plan) || plan.kind.clusters === undefined) return writer;
  const client = clientAt(clients, plan.kind, cluster);
  return writer.to(client, { cluster, reference: referenceOf(plan.kind.clusters, cluster) });
}

/** The circumstances of one write. */
interface To {
  readonly writer: Writer;
  /** The rule by which the function takes over objects of this kind that are nobody's. */
  readonly adopts: string | undefined;
  readonly ahead: SeenAhead | undefined;
}

async function write(plan: Write, { writer, adopts, ahead }: To, parts: EffectParts): Promise<Written> {
  switch (plan.effect) {
    case "apply":
      return writer.apply(plan, adopts, ahead);
    case "create":
      return writer.create(plan);
    case "replace":
      return writer.replace(plan, adopts);
    case "patch":
      return writer.patch(plan);
    case "remove":
      return writer.remove(plan);
    case "status":
      return writer.status(plan.kind, plan.object, plan.status);
    case "note":
      return writer.note(plan, parts.now);
    case "emit":
      await parts.emit(plan.event.id, plan.id, plan.payload);
      return { object: undefined, changed: false };
  }
}

const resultOf = (
  plan: Write,
  { object, changed }: Written,
  cluster: string | undefined,
): Result<unknown> => ({
  state: "done",
  value:
    object === undefined || !("kind" in plan) ? undefined : parseObject(plan.kind as Kind, object, cluster),
  changed,
  ...("owner" in plan &&
    "kind" in plan &&
    cannotBelong(plan.kind, plan.owner) && { ownerless: true as const }),
});

function resultsOf(results: ReadonlyMap<Effect, Result<unknown>>): Results {
  const failed = (effects: Iterable<Effect>): { readonly effect: Effect; readonly error: EffectError }[] =>
    [...effects].flatMap((effect) => {
      const result = results.get(effect);
      return result?.state === "failed" ? [{ effect, error: result.error }] : [];
    });
  const all = failed(results.keys());
  const ask = <V>(effect: Effect<string, V>): Result<V> =>
    (results.get(effect) ?? { state: "not run" }) as Result<V>;
  return Object.assign(ask, {
    ok: all.length === 0,
    failed: all,
    within: (work: Effects) => {
      const effects = [...leaves(work)];
      const mine = failed(effects);
      return {
        ok: mine.length === 0 && effects.every((effect) => results.get(effect)?.state === "done"),
        failed: mine,
      };
    },
  });
}

function* leaves(work: Effects): Generator<Effect> {
  if (isList(work)) for (const each of work) yield* leaves(each);
  else if (isInOrder(work)) for (const each of work.inOrder) yield* leaves(each);
  else if (isAtMost(work)) for (const each of work.of) yield* leaves(each);
  else yield work;
}
