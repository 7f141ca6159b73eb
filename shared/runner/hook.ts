import type { RecordedWrite } from "../bus/run-record.ts";
import type { Clock } from "../clock/clock.ts";
import { timeOf } from "../clock/time.ts";
import { ReveilleError } from "../errors.ts";
import type { HookDeclaration } from "../function/hook-declaration.ts";
import { DeclarationError } from "../function/system.ts";
import { isRecord } from "../json/fields.ts";
import { AppliedMemo } from "../kube/apply/memo.ts";
import type { KubeClient } from "../kube/client.ts";
import { type EffectParts, nothingDone, perform } from "./effects.ts";
import { EffectFailedError, isStale } from "./errors.ts";
import { KnownObjects } from "./known-objects.ts";
import { fieldManagerOf } from "./last-status.ts";
import { callsNothing } from "./ports.ts";
import { createReader } from "./reads.ts";
import { Recorder } from "./recorder.ts";
import { ReplacedMemo } from "./replacement.ts";
import { questionRights } from "./rights.ts";
import { ToldMemo } from "./told-memo.ts";
import { Writer } from "./writer.ts";

/** The parts that answer a hook. */
export interface HookParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The hook's configuration, parsed. */
  readonly configuration: unknown;
  /** Aborted where nobody waits any longer. */
  readonly signal: AbortSignal;
  /** Absent: the whole cluster. */
  readonly namespaces?: readonly string[] | undefined;
}

/** The number of times that a question is decided anew, after a write of its own or another's. */
const PASSES = 20;

/** Keeps what spares the writes of a hook requests: hints only. */
export class HookMemory {
  readonly memo = new AppliedMemo();
  readonly replaced = new ReplacedMemo();
  readonly told = new ToldMemo();
}

/**
 * Answers one question of another controller: reads by `observe`, writes by `store`, and does so anew until there is nothing left to be
 * written; only then it answers, from what it read. So an answer that is lost, repeated or given twice at once is the same, and whatever
 * dies on the way is made good by the next question. What can be neither read nor stored rejects.
 */
export async function answerHook(
  hook: HookDeclaration,
  request: unknown,
  memory: HookMemory,
  parts: HookParts,
): Promise<unknown> {
  const { signal, configuration } = parts;
  const context = { config: configuration } as never;
  const settled = new Set<string>();
  for (let passes = 0; passes < PASSES; passes++) {
    signal.throwIfAborted();
    const recorder = new Recorder();
    const known = new KnownObjects(hook.name);
    try {
      const world = { request, ...(await observe(hook, request, { ...parts, recorder, known })) } as never;
      for (const [subject, { metadata }] of known) settled.add(stateOf(subject, metadata));
      const effects = hook.store?.(world, context);
      const results =
        effects === undefined
          ? nothingDone()
          : await perform(effects, effectParts(hook, memory, { ...parts, recorder, known }));
      const [first] = results.failed;
      if (first !== undefined) throw new EffectFailedError(first.error);
      const states = recorder.writes.map((write) => stateOf(write.subject, write));
      // An object that another question has just made is there already, and yet was not there when this one read.
      const wasRead = states.every((state) => settled.has(state));
      for (const state of states) settled.add(state);
      if (recorder.changes === 0 && wasRead) return answered(hook, hook.answer(world, context));
    } catch (thrown) {
      if (!isStale(thrown)) throw thrown;
    }
  }
  throw new ReveilleError(
    "HOOK_UNSETTLED",
    `${hook.name} found something to store ${PASSES} times over, or others kept changing what it read: what \`store\` says must stand once it is written.`,
  );
}

/** Names an object in one of its versions. */
const stateOf = (subject: string, { uid, resourceVersion }: Pick<RecordedWrite, "uid" | "resourceVersion">) =>
  `${subject} ${uid} ${resourceVersion}`;

/** An answer as it is sent. */
export function answered({ name, response }: HookDeclaration, answer: unknown): unknown {
  const checked = response.safeParse(answer);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map(({ path, message }) => `${path.join(".") || "(top)"}: ${message}`);
  throw new DeclarationError(
    "HOOK_ANSWER",
    `${name} gives an answer that does not fit its response: ${issues.join("; ")}.`,
  );
}

interface PassParts extends HookParts {
  readonly recorder: Recorder;
  readonly known: KnownObjects;
}

async function observe(hook: HookDeclaration, request: unknown, parts: PassParts): Promise<object> {
  if (hook.observe === undefined) return {};
  const { client, configuration, namespaces, recorder, known, signal } = parts;
  const refuse = slotRefusal(hook);
  const read = createReader({
    declaration: hook,
    slots: { kindFor: refuse, lookUp: refuse, forget: refuse },
    client,
    rights: questionRights(hook),
    recorder,
    signal,
    known,
    namespaces,
  });
  const observed = await hook.observe({ request, read, config: configuration } as never);
  return isRecord(observed) ? observed : {};
}

function effectParts(
  hook: HookDeclaration,
  { memo, replaced, told }: HookMemory,
  { client, clock, signal, recorder, known }: PassParts,
): EffectParts {
  const refuse = slotRefusal(hook);
  const rights = questionRights(hook);
  const writer = new Writer({
    client,
    of: hook.name,
    fieldManager: fieldManagerOf(hook),
    rights,
    succeeds: [],
    recorder,
    signal,
    known,
    hints: undefined,
    memo,
    replaced,
    told,
  });
  return {
    declaration: { name: hook.name, emits: [], uses: [], adopts: {} },
    rights,
    writer,
    recorder,
    now: timeOf(clock.now()),
    check: async () => signal.throwIfAborted(),
    // Both are refused before, since a hook declares none.
    emit: async () => undefined,
    call: callsNothing,
    slots: { kindFor: async () => refuse(), forget: refuse },
    clients: { client },
    signal,
    // A paused object must know all the same, once it goes on, that it was asked.
    paused: () => false,
  };
}

const slotRefusal =
  ({ name }: HookDeclaration) =>
  (): never => {
    throw new DeclarationError("UNDECLARED_READ", `${name} uses a slot: a hook reads and writes kinds.`);
  };
