import { createHash } from "node:crypto";
import type { AnyOutcome, Concluded, Ending, FunctionDeclaration } from "../function/declaration.ts";
import type { EffectError, Results } from "../function/effects.ts";
import { PAUSED } from "../function/heeded.ts";
import { subjectOf } from "../function/key.ts";
import type { AnyPort } from "../function/port.ts";
import { type AnyObject, type Kind, resourceOf } from "../kube/kind.ts";
import { parseObject, rawOf } from "../kube/read.ts";
import type { Log } from "../log/log.ts";
import type { Clients } from "./clients.ts";
import { type EffectParts, nothingDone, perform } from "./effects.ts";
import { EffectFailedError, effectErrorOf, isStale } from "./errors.ts";
import { saysTheSame, saysWhatItHeeds } from "./heeds.ts";
import type { KnownObjects } from "./known-objects.ts";
import { lastStatusAt } from "./last-status.ts";
import { checkConcluded, checkDeadlines, checkOutcome, checkStatus } from "./outcome.ts";
import { type CallPort, type Ports, usedPort } from "./ports.ts";
import { createReader } from "./reads.ts";
import type { Recorder } from "./recorder.ts";
import type { Right } from "./rights.ts";
import type { SlotKinds } from "./slot-kinds.ts";
import { objectsOf, type Subject, worldOf } from "./subject.ts";
import type { Waits } from "./waits.ts";
import type { Writer } from "./writer.ts";

export interface PassParts {
  readonly declaration: FunctionDeclaration;
  readonly rights: ReadonlyMap<string, Right>;
  /** The clients of the home and of other clusters. */
  readonly clients: Clients;
  readonly writer: Writer;
  readonly recorder: Recorder;
  readonly known: KnownObjects;
  readonly config: unknown;
  readonly now: string;
  readonly signal: AbortSignal;
  readonly check: () => Promise<void>;
  readonly emit: (type: string, id: string, payload: unknown) => Promise<void>;
  readonly call: CallPort;
  readonly ports: Ports;
  readonly slots: SlotKinds;
  readonly waits: Waits;
  readonly namespaces: readonly string[] | undefined;
  /** The name of the news from outside the cluster that led here, see `newsOf`. */
  readonly news: string | undefined;
}

/** The end of a pass: outcome, waits and deadlines, yet to be acknowledged. */
export interface PassEnd {
  readonly outcome: "done" | "waiting" | "parked";
  readonly ending: Ending;
}

/** The tries of a status over writes of others that do not concern its function. */
const STATUS_TRIES = 4;
const AWAY = "CLUSTER_AWAY";
const isPaused = (object: AnyObject): boolean =>
  object.metadata.annotations[PAUSED] === "true" && object.metadata.deletionTimestamp === undefined;

const NOTHING: PassEnd = { outcome: "done", ending: { wakeAt: {} } };

/** One pass: finalizer on, observe, reconcile, effects, status, finalizer off. */
export async function pass(subject: Subject, parts: PassParts): Promise<PassEnd> {
  const { declaration } = parts;
  if (subject.of === "nothing") return NOTHING;
  if (subject.of === "one") {
    const { self } = subject;
    if (
      isPaused(self) ||
      (self.metadata.deletionTimestamp === undefined && declaration.paused?.({ self } as never) === true)
    )
      return { outcome: "parked", ending: {} };
    if (
      self.metadata.deletionTimestamp !== undefined &&
      !finalizersOf(declaration).some((name) => self.metadata.finalizers.includes(name))
    )
      return NOTHING;
  }
  // Most passes have nothing to do in most of these steps, and a step that is awaited costs some promises even then.
  const world = declaration.observe === undefined ? worldOf(subject) : await observe(subject, parts);
  const ready = declaration.finalizer === undefined ? subject : await settleFinalizer(subject, world, parts);
  const context = {
    now: parts.now,
    config: parts.config,
    uid: (purpose: string) => uidOf(declaration.name, ready, purpose),
    lastStatusAt: lastStatusAt(declaration, ready),
  };
  const deleting = ready.of === "one" && ready.self.metadata.deletionTimestamp !== undefined;
  const decide = deleting ? declaration.finalizer?.finalize : declaration.reconcile;
  const outcome: unknown = decide?.({ ...world, ...worldOf(ready) } as never, context as never) ?? {};
  checkOutcome(declaration, outcome);
  if (outcome.conclude === undefined) await checkEnding(outcome, parts);
  const effectParts: EffectParts = {
    declaration,
    rights: parts.rights,
    writer: parts.writer,
    recorder: parts.recorder,
    now: parts.now,
    check: parts.check,
    emit: parts.emit,
    call: parts.call,
    slots: {
      kindFor: (slot, what, cluster) => parts.slots.kindFor(slot, what, declaration, cluster),
      forget: (kind, cluster) => parts.slots.forget(kind, cluster),
    },
    clients: parts.clients,
    signal: parts.signal,
    paused: (object) => ready.of === "group" && isPaused(object),
  };
  const results = outcome.effects === undefined ? nothingDone() : await perform(outcome.effects, effectParts);
  const isConcluded = outcome.conclude === undefined && results.ok;
  const concluded: Concluded = isConcluded ? outcome : await conclude(outcome, results, parts);
  const ending = awaiting(concluded, results, parts);
  if (!results.ok) await tellRefusals(ready, results, parts);
  if (ending.record !== undefined) await keepRecord(ending.record, effectParts);
  await writeStatus(ready, ending, parts);
  const mayPass = results.failed.find(({ error }) => error.retryable && !isAwaited(error, parts));
  if (ending.retry === true && mayPass !== undefined) throw new EffectFailedError(mayPass.error);
  if (deleting && ready.of === "one" && ending.finalized === true && declaration.finalizer !== undefined) {
    await parts.check();
    await parts.writer.finalizer(declaration.key.kind, ready.self, finalizersOf(declaration), false);
    return NOTHING;
  }
  return { outcome: (ending.waitingFor?.length ?? 0) > 0 ? "waiting" : "done", ending };
}

/** The finalizers that a function answers for: its own, and those of an operator before. */
const finalizersOf = ({ finalizer }: FunctionDeclaration): readonly string[] =>
  finalizer === undefined ? [] : [finalizer.name, ...(finalizer.succeeds ?? [])];

async function observe(subject: Subject, parts: PassParts): Promise<Record<string, unknown>> {
  const { declaration, config, news } = parts;
  const base = worldOf(subject);
  if (declaration.observe === undefined) return base;
  const read = createReader({
    declaration,
    slots: parts.slots,
    ...parts.clients,
    rights: parts.rights,
    recorder: parts.recorder,
    signal: parts.signal,
    known: parts.known,
    namespaces: parts.namespaces,
  });
  const use = (port: AnyPort): object => usedPort(port, declaration, parts.ports);
  const observed = await declaration.observe({ ...base, read, use, config, news } as never);
  return { ...base, ...(observed as Record<string, unknown> | undefined) };
}

/**
 * The finalizer goes on before the first effect, so that nothing is made that nobody would clean up; and off where it is wanted no longer
 * and nothing is owed.
 */
async function settleFinalizer(
  subject: Subject,
  world: Record<string, unknown>,
  parts: PassParts,
): Promise<Subject> {
  const { finalizer, key } = parts.declaration;
  if (
    subject.of !== "one" ||
    finalizer === undefined ||
    subject.self.metadata.deletionTimestamp !== undefined
  )
    return subject;
  const isThere = subject.self.metadata.finalizers.includes(finalizer.name);
  const isWanted = finalizer.when?.(world as never) !== false;
  if (isThere === isWanted) return subject;
  if (isThere && finalizer.owes?.(world as never) !== false) return subject;
  await parts.check();
  const { object } = await parts.writer.finalizer(key.kind, subject.self, [finalizer.name], isWanted);
  return object === undefined ? subject : { of: "one", self: parseObject(key.kind, object) };
}

async function conclude(outcome: AnyOutcome, results: Results, parts: PassParts): Promise<Concluded> {
  if (outcome.conclude === undefined) {
    // What stands in the way of one effect is waited for: what else went wrong decides how the run ends.
    const first = results.failed.find(({ error }) => error.object === undefined) ?? results.failed[0];
    if (first === undefined) return outcome;
    throw new EffectFailedError(first.error);
  }
  const ending: unknown = outcome.conclude(results);
  checkConcluded(parts.declaration, ending);
  await checkEnding(ending, parts);
  return ending;
}

/** True where an effect failed for an object whose change wakes the function that waits for it. */
export const isAwaited = (
  error: EffectError,
  { waits, declaration }: Pick<PassParts, "waits" | "declaration">,
): error is EffectError & Required<Pick<EffectError, "object">> =>
  error.object !== undefined && waits.hears(declaration, error.object);

/** The ending, waiting also for what stood in the way of an effect: it costs no attempts, and that object's change wakes. */
function awaiting(ending: Concluded, { failed }: Results, parts: PassParts): Concluded {
  const waits = failed.flatMap(({ error }) =>
    isAwaited(error, parts) ? [{ for: error.message, object: error.object }] : [],
  );
  return waits.length === 0 ? ending : { ...ending, waitingFor: [...(ending.waitingFor ?? []), ...waits] };
}

/** People are told of what is another's where it is refused, whatever the function concludes from it. */
async function tellRefusals(subject: Subject, { failed }: Results, parts: PassParts): Promise<void> {
  for (const { effect, error } of failed) {
    // A cluster that is away is no refusal, and passes.
    if (error.object === undefined || error.code === AWAY) continue;
    const { plan } = effect;
    const about = "owner" in plan && plan.owner !== undefined ? [plan.owner] : objectsOf(subject);
    for (const object of about) {
      await parts.check();
      await parts.writer.note(failureNote(object, error.message, parts.declaration), parts.now);
    }
  }
}

/** The Event of a failure: one for each text, whoever writes it. */
const failureNote = (
  about: AnyObject,
  message: string,
  { name }: FunctionDeclaration,
): Parameters<Writer["note"]>[0] => ({
  effect: "note",
  about,
  type: "Warning",
  reason: "ReconcileFailed",
  message,
  of: name,
});

/** Performs the `record` of a conclusion; it fails the run as any effect without a conclusion does. */
async function keepRecord(record: Concluded["record"], parts: EffectParts): Promise<void> {
  const [first] = (await perform(record, parts)).failed;
  if (first !== undefined) throw new EffectFailedError(first.error);
}

interface MemberStatus {
  readonly of: AnyObject;
  readonly status: unknown;
}

async function checkEnding(ending: Ending, { declaration, now, waits }: PassParts): Promise<void> {
  checkDeadlines(declaration, ending, now);
  if (ending.waitingFor !== undefined) await waits.check(declaration, ending);
  if (ending.status === undefined) return;
  const statuses =
    declaration.key.by === "object"
      ? [ending.status]
      : (ending.status as readonly MemberStatus[]).map(({ status }) => status);
  for (const status of statuses) checkStatus(declaration, status);
}

async function writeStatus(subject: Subject, ending: Ending, parts: PassParts): Promise<void> {
  if (ending.status === undefined) return;
  const { kind } = parts.declaration.key;
  const statuses: readonly MemberStatus[] =
    subject.of === "one"
      ? [{ of: subject.self, status: ending.status }]
      : (ending.status as readonly MemberStatus[]);
  // In this order: a loser before the winner.
  for (const { of, status } of statuses) {
    if (isPaused(of)) continue;
    await parts.check();
    await statusOver(kind, of, status, parts);
  }
}

/** A write of others in between is no reason to decide again where it says nothing that the function heeds. */
async function statusOver(kind: Kind, of: AnyObject, status: unknown, parts: PassParts): Promise<void> {
  const { declaration, writer, known, clients, signal, recorder, check } = parts;
  const subject = subjectOf(kind, of.metadata);
  for (let over = of, tries = 1; ; tries++) {
    try {
      await writer.status(kind, over, status);
      return;
    } catch (error) {
      const before = known.get(subject) ?? rawOf(over);
      if (!isStale(error) || tries === STATUS_TRIES || before === undefined || !saysWhatItHeeds(declaration))
        throw error;
      const now = await clients.client.get(resourceOf(kind), of.metadata, { signal });
      // The same version: it was refused for what the status says, not for another's write.
      const isAnother = now?.metadata.resourceVersion !== before.metadata.resourceVersion;
      if (now === undefined || !isAnother || !saysTheSame(declaration, before, now)) throw error;
      recorder.read({ subject, uid: now.metadata.uid, resourceVersion: now.metadata.resourceVersion });
      known.set(subject, now);
      over = parseObject(kind, now);
      await check();
    }
  }
}

/** Shows an error in the status of every object that the run is about, as the declaration says. */
export async function writeFailure(
  subject: Subject,
  thrown: unknown,
  parts: PassParts,
  log: Log,
): Promise<void> {
  const { declaration } = parts;
  const error = effectErrorOf(thrown);
  for (const object of objectsOf(subject)) {
    if (isPaused(object)) continue;
    await parts.check();
    await noteIfPossible(parts.writer, failureNote(object, error.message, declaration), parts.now, log);
  }
  if (declaration.failed === undefined || subject.of === "nothing") return;
  const context = {
    now: parts.now,
    config: parts.config,
    uid: (purpose: string) => uidOf(declaration.name, subject, purpose),
    lastStatusAt: lastStatusAt(declaration, subject),
  };
  const status = declaration.failed(worldOf(subject) as never, error, context as never);
  if (status === undefined) return;
  await checkEnding({ status }, parts);
  await writeStatus(subject, { status }, parts);
}

/** Tells people of what the run has come to; that they cannot be told changes nothing of it. */
export async function noteIfPossible(
  writer: Writer,
  plan: Parameters<Writer["note"]>[0],
  now: string,
  log: Log,
): Promise<void> {
  try {
    await writer.note(plan, now);
  } catch (error) {
    log.warn({ reason: plan.reason, err: error }, "an Event for people could not be written");
  }
}

function uidOf(name: string, subject: Subject, purpose: string): string {
  const versions = objectsOf(subject).map(
    (object) =>
      `${object.metadata.uid}@${rawOf(object)?.metadata.resourceVersion ?? object.metadata.resourceVersion}`,
  );
  const hash = createHash("sha256")
    .update([name, purpose, ...versions].join("\n"))
    .digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** uid → generation of what a run was about: a new one takes its key out of the dead letters. */
export const generationsOf = (subject: Subject): Record<string, number> =>
  Object.fromEntries(objectsOf(subject).map(({ metadata }) => [metadata.uid, metadata.generation]));
