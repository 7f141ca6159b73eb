import type { AnyObject, Kind } from "../../kube/kind.ts";
import { parseObject } from "../../kube/read.ts";
import type { FunctionDeclaration } from "../declaration.ts";
import type { Effect, EffectError, EffectPlan, InOrder, Result, Results, Work } from "../effects.ts";
import { missingFor, type Right } from "../rights.ts";
import { DeclarationError } from "../system.ts";
import { effectErrorOf, isStale, LeaseLostError } from "./errors.ts";
import type { Writer, Written } from "./writer.ts";

export interface EffectParts {
  readonly declaration: FunctionDeclaration;
  readonly rights: ReadonlyMap<string, Right>;
  readonly writer: Writer;
  readonly now: string;
  /** Throws `LeaseLostError` where the item is no longer held. */
  readonly check: () => Promise<void>;
  readonly emit: (type: string, id: string, payload: unknown) => Promise<void>;
  /** Whether the object is paused: then nothing of it or of its children is written. */
  readonly paused: (object: AnyObject) => boolean;
}

/** Performs a tree of effects and keeps what came of each. Stale reads and a lost lease end the whole pass. */
export async function perform(work: Work | undefined, parts: EffectParts): Promise<Results> {
  const results = new Map<Effect, Result<unknown>>();
  if (work !== undefined) await branch(work, parts, results);
  return resultsOf(results);
}

const isList = (work: Work): work is readonly Work[] => Array.isArray(work);
const isInOrder = (work: Work): work is InOrder => "inOrder" in work;

/** Resolves to whether all went well. */
async function branch(
  work: Work,
  parts: EffectParts,
  results: Map<Effect, Result<unknown>>,
): Promise<boolean> {
  if (isList(work)) {
    const ends = await Promise.allSettled(work.map((each) => branch(each, parts, results)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return ends.every((end) => end.status === "fulfilled" && end.value);
  }
  if (isInOrder(work)) {
    for (const each of work.inOrder) if (!(await branch(each, parts, results))) return false;
    return true;
  }
  await parts.check();
  try {
    results.set(work, resultOf(work.plan, await performOne(work.plan, parts)));
    return true;
  } catch (error) {
    if (error instanceof LeaseLostError || error instanceof DeclarationError || isStale(error)) throw error;
    results.set(work, { state: "failed", error: effectErrorOf(error) });
    return false;
  }
}

async function performOne(plan: EffectPlan, parts: EffectParts): Promise<Written> {
  const missing = missingFor(plan, parts.declaration, parts.rights);
  if (missing !== undefined)
    throw new DeclarationError(
      "UNDECLARED_WRITE",
      `${parts.declaration.name} writes what it does not declare: add ${missing} to its declaration.`,
    );
  const about = "owner" in plan ? plan.owner : "object" in plan ? plan.object : undefined;
  if (about !== undefined && parts.paused(about)) return { object: undefined, changed: false };
  switch (plan.effect) {
    case "apply":
      return parts.writer.apply(plan);
    case "create":
      return parts.writer.create(plan);
    case "patch":
      return parts.writer.patch(plan);
    case "remove":
      return parts.writer.remove(plan);
    case "status":
      return parts.writer.status(plan.kind, plan.object, plan.status);
    case "note":
      return parts.writer.note(plan, parts.now);
    case "emit":
      await parts.emit(plan.event.id, plan.id, plan.payload);
      return { object: undefined, changed: false };
  }
}

const resultOf = (plan: EffectPlan, { object, changed }: Written): Result<unknown> => ({
  state: "done",
  value: object === undefined || !("kind" in plan) ? undefined : parseObject(plan.kind as Kind, object),
  changed,
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
    within: (work: Work) => {
      const effects = [...leaves(work)];
      const mine = failed(effects);
      return {
        ok: mine.length === 0 && effects.every((effect) => results.get(effect)?.state === "done"),
        failed: mine,
      };
    },
  });
}

function* leaves(work: Work): Generator<Effect> {
  if (isList(work)) for (const each of work) yield* leaves(each);
  else if (isInOrder(work)) for (const each of work.inOrder) yield* leaves(each);
  else yield work;
}
