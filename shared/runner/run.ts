import type { Finished, Lease, RunEnding } from "../bus/contract.ts";
import { timeOf } from "../clock/time.ts";
import { messageOf } from "../errors.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { parseKey, subjectOf } from "../function/key.ts";
import { DeclarationError } from "../function/system.ts";
import type { OwnRun } from "../hints/own-writes.ts";
import type { AppliedMemo } from "../kube/apply/memo.ts";
import { isStale, LeaseLostError, RunTooLongError } from "./errors.ts";
import { hearOf } from "./heard-of.ts";
import { KnownObjects } from "./known-objects.ts";
import { fieldManagerOf } from "./last-status.ts";
import { countedOf, type LoopGuard, loopingNote, loopingText } from "./loop-guard.ts";
import { onLost } from "./lost-lease.ts";
import { newsOf } from "./news.ts";
import { generationsOf, noteIfPossible, type PassEnd, type PassParts, pass, writeFailure } from "./pass.ts";
import { callsNothing, type Ports, portCaller } from "./ports.ts";
import { Recorder } from "./recorder.ts";
import type { ReplacedMemo } from "./replacement.ts";
import type { Right } from "./rights.ts";
import { RunEndings } from "./run-endings.ts";
import { RunReport } from "./run-report.ts";
import type { RunnerParts } from "./runner-parts.ts";
import type { SlotKinds } from "./slot-kinds.ts";
import { objectsOf, readSubject, type Subject } from "./subject.ts";
import { sweptRun } from "./sweep.ts";
import type { ToldMemo } from "./told-memo.ts";
import type { Waits } from "./waits.ts";
import type { Wakers } from "./wakers.ts";
import { Writer } from "./writer.ts";

/** The time for which `again` goes on under one lease before it queues again. */
const SLICE = 2_000;
/** Requests end by themselves (30 s of silence each); this is for what a function awaits beside them. */
const LIMIT = 5 * 60_000;
/** The number of passes that are done again at once after a stale read, before it becomes a retry. */
const STALE_PASSES = 5;
const NO_PORTS: Ports = new Map();

/** The state that a host keeps between runs: hints only, losing it costs time. */
export interface Kept {
  readonly wakers: Wakers;
  readonly guard: LoopGuard;
  readonly memo: AppliedMemo;
  readonly replaced: ReplacedMemo;
  readonly told: ToldMemo;
  readonly slots: SlotKinds;
  readonly waits: Waits;
}

/** One run of one item. */
export class Run {
  readonly #lease: Lease;
  readonly #declaration: FunctionDeclaration;
  readonly #rights: ReadonlyMap<string, Right>;
  readonly #parts: RunnerParts;
  readonly #kept: Kept;
  readonly #recorder = new Recorder();
  readonly #known: KnownObjects;
  readonly #started: number;
  readonly #report: RunReport;
  readonly #ends: RunEndings;
  /** Its writes, as the watcher of this process learns of them. */
  readonly #own: OwnRun | undefined;
  /** Aborted where the run is cut off or its lease is lost: nothing of it is done any more. */
  readonly #cut = new AbortController();
  #subject: Subject = { of: "nothing" };

  constructor(
    lease: Lease,
    declaration: FunctionDeclaration,
    rights: ReadonlyMap<string, Right>,
    parts: RunnerParts,
    kept: Kept,
  ) {
    this.#lease = lease;
    this.#declaration = declaration;
    this.#known = new KnownObjects(declaration.name, parts.mostHeldBytes);
    this.#rights = rights;
    this.#parts = parts;
    this.#kept = kept;
    this.#started = parts.clock.now();
    this.#own = parts.ownWrites?.run({ function: lease.item.function, key: lease.item.key });
    const { clock } = parts;
    this.#report = new RunReport({
      item: lease.item,
      recorder: this.#recorder,
      clock,
      started: this.#started,
    });
    this.#ends = new RunEndings({
      item: lease.item,
      declaration,
      parts,
      waits: kept.waits,
      recorder: this.#recorder,
      report: this.#report,
      subject: () => this.#subject,
      showFailure: (thrown) => this.#showFailure(thrown),
    });
  }

  async run(): Promise<RunEnding> {
    const { clock, limitMilliseconds = LIMIT } = this.#parts;
    const deaf = onLost(this.#lease, (reason) => this.#cut.abort(reason));
    let ended = (): void => undefined;
    const cutOff = new Promise<RunTooLongError>((resolve) => {
      ended = clock.after(limitMilliseconds, () => {
        const error = new RunTooLongError(this.#declaration.name, limitMilliseconds);
        this.#cut.abort(error);
        resolve(error);
      });
    });
    const end = await Promise.race([this.#run(), cutOff]);
    ended();
    deaf();
    this.#own?.ended(!(end instanceof RunTooLongError) && end.state !== "lost");
    if (!(end instanceof RunTooLongError)) return end;
    return this.#lease.signal.aborted ? { state: "lost" } : this.#ends.failed(end);
  }

  async #run(): Promise<RunEnding> {
    const { item } = this.#lease;
    hearOf(item, this.#parts.others);
    try {
      if (item.sweep !== undefined) return await this.#sweep();
      const resting = this.#kept.guard.restsUntil(this.#guardKey(), this.#started);
      if (resting > 0 && (await this.#kept.wakers.onlyFunctions(item.causes)))
        return this.#ends.finished({ outcome: "parked", ending: {} }, { net: resting });
      const { end, more } = await this.#passes();
      await this.#watchForLoop();
      return this.#ends.finished(end, { again: more });
    } catch (error) {
      if (error instanceof LeaseLostError || this.#cut.signal.aborted) return { state: "lost" };
      return await this.#ends.failed(error);
    }
  }

  /** Passes under one lease: anew after a stale read, and while `again` is asked for and something changed. */
  async #passes(): Promise<{ readonly end: PassEnd; readonly more: boolean }> {
    for (let stale = 0; ; ) {
      const before = this.#recorder.changes;
      let end: PassEnd;
      try {
        end = await this.#pass(stale > 0 ? "anew" : before === 0 ? "first" : "on");
      } catch (error) {
        if (!isStale(error, this.#recorder.foundThere) || ++stale > STALE_PASSES) throw error;
        this.#parts.log.debug(
          { function: this.#declaration.name, key: this.#lease.item.key, reason: messageOf(error) },
          "a read is stale, deciding again",
        );
        continue;
      }
      stale = 0;
      if (end.ending.again !== true || this.#recorder.changes === before) return { end, more: false };
      if (this.#parts.clock.now() - this.#started > SLICE) return { end, more: true };
    }
  }

  async #pass(how: "first" | "on" | "anew"): Promise<PassEnd> {
    await this.#read(how, this.#cut.signal);
    return pass(this.#subject, this.#passParts());
  }

  async #read(how: "first" | "on" | "anew", signal: AbortSignal): Promise<void> {
    const key = parseKey(this.#lease.item.key);
    if (key.of === "sweep")
      throw new DeclarationError("KEY_INVALID", `${this.#lease.item.key} is a sweep without a source.`);
    const own = key.of === "object" ? subjectOf(this.#declaration.key.kind, key) : "";
    const answered = how === "on" && this.#recorder.wasAnswered(own) ? this.#known.get(own) : undefined;
    this.#known.clear();
    this.#recorder.begin();
    const { client, hints, namespaces } = this.#parts;
    this.#subject = await readSubject(this.#declaration, key, {
      client,
      recorder: this.#recorder,
      known: this.#known,
      signal,
      namespaces,
      hints,
      lease: this.#lease,
      first: how === "first",
      answered,
    });
  }

  readonly #check = async (): Promise<void> => {
    if (this.#cut.signal.aborted || !(await this.#lease.held())) throw new LeaseLostError();
  };

  /** @param scope of a run that was cut off, only the lease's */
  #passParts(
    scope: Pick<PassParts, "signal" | "check"> = { signal: this.#cut.signal, check: this.#check },
  ): PassParts {
    const { client, configOf, emit, namespaces, hints, calls = true } = this.#parts;
    const declaration = this.#declaration;
    const ports = this.#parts.portsOf?.(declaration) ?? NO_PORTS;
    const writer = new Writer({
      client,
      of: declaration.name,
      fieldManager: fieldManagerOf(declaration),
      rights: this.#rights,
      succeeds: declaration.succeeds,
      recorder: this.#recorder,
      signal: scope.signal,
      known: this.#known,
      hints,
      own: this.#own,
      memo: this.#kept.memo,
      replaced: this.#kept.replaced,
      told: this.#kept.told,
    });
    return {
      declaration,
      rights: this.#rights,
      clients: this.#parts,
      writer,
      recorder: this.#recorder,
      known: this.#known,
      config: configOf(declaration),
      now: this.#now(),
      ...scope,
      emit,
      ports,
      call: calls
        ? portCaller({ declaration, ports, recorder: this.#recorder, signal: scope.signal })
        : callsNothing,
      slots: this.#kept.slots,
      waits: this.#kept.waits,
      namespaces,
      news: newsOf(declaration, this.#lease.item.causes),
    };
  }

  /** Never before the due time that woke the run, whatever the clock says. */
  #now(): string {
    const due = this.#lease.item.causes.map(({ dueAt }) => (dueAt === undefined ? 0 : Date.parse(dueAt)));
    return timeOf(Math.max(this.#parts.clock.now(), ...due));
  }

  #sweep(): Promise<Finished> {
    const { client, cluster, namespaces, configOf } = this.#parts;
    return sweptRun(this.#declaration, this.#lease.item, this.#report, {
      client,
      cluster,
      recorder: this.#recorder,
      log: this.#parts.log,
      signal: this.#cut.signal,
      now: this.#started,
      namespaces,
      config: configOf(this.#declaration),
      check: this.#check,
    });
  }

  /**
   * Writes the failure to the status. Where the objects changed since they were read, they are read again: the failure must be
   * seen (rule 10). Of another generation it says nothing; that one has a run of its own.
   */
  async #showFailure(thrown: unknown): Promise<void> {
    const { signal } = this.#lease;
    const check = async (): Promise<void> => {
      if (!(await this.#lease.held())) throw new LeaseLostError();
    };
    const decided = JSON.stringify(generationsOf(this.#subject));
    for (let stale = 0; ; ) {
      try {
        return await writeFailure(this.#subject, thrown, this.#passParts({ signal, check }), this.#parts.log);
      } catch (error) {
        if (!isStale(error) || ++stale > STALE_PASSES) throw error;
        await this.#read("anew", signal);
        if (JSON.stringify(generationsOf(this.#subject)) !== decided) return;
      }
    }
  }

  #guardKey = (): string => `${this.#lease.item.function} ${this.#lease.item.key}`;

  async #watchForLoop(): Promise<void> {
    if (this.#recorder.changes === 0) return;
    this.#kept.wakers.remember(this.#recorder.echoes, this.#lease.item.causes);
    const self = this.#subject.of === "one" ? this.#subject.self.metadata.uid : undefined;
    const loops = await this.#kept.guard.wrote(
      this.#guardKey(),
      countedOf(self, this.#recorder.writes),
      this.#lease.item.causes,
      this.#parts.clock.now(),
    );
    if (!loops) return;
    const message = loopingText(this.#declaration.name);
    this.#parts.log.error(this.#report.about, message);
    const { writer, now } = this.#passParts();
    for (const about of objectsOf(this.#subject).slice(0, 1))
      await noteIfPossible(writer, loopingNote(about, message, now), now, this.#parts.log);
  }
}
