import type { Bus, DeadLetter } from "../../../shared/bus/contract.ts";
import type { Cause } from "../../../shared/bus/item.ts";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import type { ToldPause } from "../../../shared/host/commands/index.ts";
import { subjectParts } from "../../../shared/kube/subject.ts";
import { isTelling } from "../timeline/timeline.ts";

/** Something that happened outside of all functions: an edit, a workload that became ready, a timer. */
export interface Happening {
  readonly step: "event";
  readonly at: string;
  readonly type: string;
  readonly subject: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly generation: number | undefined;
  /** The caller, for commands; else the field manager, where the object still tells. */
  readonly by?: string | undefined;
}
/** A run of a function, and the steps that caused it (their ids). */
export interface RunStep {
  readonly step: "run";
  readonly at: string;
  readonly run: RunRecord;
}
export type Step = Happening | RunStep;

/** The explanation of an object: the chain that led to it, oldest first, and its present state. */
export interface Explanation {
  readonly subject: string;
  readonly steps: readonly Step[];
  /** True where more led to it than is told. */
  readonly incomplete: boolean;
  readonly keys: readonly KeyState[];
}
/** The present state of a function's work with the object. */
export interface KeyState {
  readonly function: string;
  readonly key: string;
  readonly waitingFor: readonly string[];
  readonly deadlines: Readonly<Record<string, string>>;
  readonly retryAt: string | undefined;
  readonly attempts: number;
  readonly isQueued: boolean;
  readonly isRunning: boolean;
  readonly dead: DeadLetter | undefined;
  /** True where its last run left it alone because something is paused. */
  readonly isParked: boolean;
  /** The author of the pause of the function or the object; undefined where neither is paused, or nobody was asked. */
  readonly paused?: ToldPause | undefined;
}

const MAXIMUM_STEPS = 60;
const LOOK_BACK = 200;

/** True where the run's key is the object, or a group that the object may be a member of. A sweep has no object of its own. */
export function isAbout({ key }: Pick<RunRecord, "key">, subject: string): boolean {
  if (key.startsWith("sweep:")) return false;
  const { cluster, group, kind, namespace } = subjectParts(subject);
  if (cluster !== undefined) return false;
  return [subject, `${group}/${kind}/${namespace}/*`, `${group}/${kind}/*/*`].some((one) =>
    key.endsWith(`/${one}`),
  );
}
const wrote = (run: RunRecord, subject: string): boolean =>
  run.writes.some((write) => write.sent && write.error === undefined && write.subject === subject);
const endOf = (run: RunRecord): string =>
  new Date(Date.parse(run.startedAt) + run.milliseconds).toISOString();

/** Follows the history upwards from the runs that made the object what it is. Reads the bus alone. */
export async function explain(bus: Bus, subject: string): Promise<Explanation> {
  const runs = await bus.history.ofSubject(subject, LOOK_BACK);
  const start = startsOf(runs, subject);
  const upwards = new Upwards(bus, start);
  await upwards.follow();
  return {
    subject,
    steps: upwards.steps(),
    incomplete: upwards.incomplete,
    keys: await keyStates(bus, runs, subject),
  };
}

/** For each function that is about the object the last run that did something; of a child the last run that wrote it. */
function startsOf(runs: readonly RunRecord[], subject: string): readonly RunRecord[] {
  const about = runs.filter((run) => isAbout(run, subject));
  const telling = [...Map.groupBy(about, (run) => run.function).values()].flatMap((own) => {
    const last = own.find(isTelling) ?? own[0];
    // Its last write may be older than what it waits for now.
    const writer = own.find((run) => wrote(run, subject));
    return [last, writer].filter((run) => run !== undefined);
  });
  const starts = [
    ...telling,
    runs.find((run) => wrote(run, subject)),
    editOf(about, subject),
    ...endsOf(runs, subject),
  ].filter((run) => run !== undefined);
  return starts.length > 0 ? starts : runs.slice(0, 1);
}

/**
 * The telling runs of an object that is gone, or was: the run that its deletion woke, the one that deleted it, and the last that
 * had written it.
 */
function endsOf(runs: readonly RunRecord[], subject: string): readonly (RunRecord | undefined)[] {
  const woken = runs.find(({ causes }) =>
    causes.some((cause) => cause.subject === subject && cause.type === "resource.deleted"),
  );
  const removed = runs.find((run) => removes(run, subject));
  if (woken === undefined && removed === undefined) return [];
  return [woken, removed, runs.find((run) => wrote(run, subject) && !removes(run, subject))];
}
const removes = (run: RunRecord, subject: string): boolean =>
  run.writes.some(
    (write) => write.verb === "remove" && write.error === undefined && write.subject === subject,
  );

/** The run that first saw the object's present spec: the edit itself is its cause. */
function editOf(about: readonly RunRecord[], subject: string): RunRecord | undefined {
  const generationIn = (run: RunRecord): number =>
    Math.max(0, ...run.causes.map((cause) => (cause.subject === subject ? (cause.generation ?? 0) : 0)));
  const present = Math.max(0, ...about.map(generationIn));
  return present === 0 ? undefined : about.findLast((run) => generationIn(run) === present);
}

class Upwards {
  readonly #bus: Bus;
  readonly #queue: RunRecord[];
  readonly #runs = new Map<string, RunRecord>();
  readonly #happenings = new Map<string, Happening>();
  incomplete = false;

  constructor(bus: Bus, start: readonly RunRecord[]) {
    this.#bus = bus;
    this.#queue = [...start];
  }

  async follow(): Promise<void> {
    for (let run = this.#queue.shift(); run !== undefined; run = this.#queue.shift()) {
      if (this.#runs.has(run.id)) continue;
      if (this.#runs.size + this.#happenings.size >= MAXIMUM_STEPS) {
        this.incomplete = true;
        return;
      }
      this.#runs.set(run.id, run);
      for (const cause of run.causes) await this.#cause(run, cause);
    }
  }

  async #cause(run: RunRecord, cause: Cause): Promise<void> {
    const { history } = this.#bus;
    if (cause.sort === "retry" || cause.sort === "again") {
      const before = await history.run(cause.eventId);
      if (before !== undefined) this.#queue.push(before);
      return;
    }
    if (cause.sort === "deadline" || cause.sort === "net") {
      const earlier = await history.ofKey(run, LOOK_BACK);
      const setter = earlier.find(
        (one) => one.startedAt < run.startedAt && (cause.timer === undefined || cause.timer in one.deadlines),
      );
      if (setter !== undefined) this.#queue.push(setter);
      this.#happened(cause, cause.dueAt ?? cause.at, undefined);
      return;
    }
    if (cause.uid !== undefined && cause.resourceVersion !== undefined) {
      const writer = await history.ofWrite({ uid: cause.uid, resourceVersion: cause.resourceVersion });
      if (writer !== undefined) {
        this.#queue.push(writer);
        return;
      }
    }
    const event = await history.event(cause.eventId);
    this.#happened(cause, event?.time ?? cause.at, event?.askedBy);
    await this.#madeBy(cause);
  }

  /** Somebody else changed an object that a function had made: that it is there at all has a cause as well. */
  async #madeBy({ subject, at }: Cause): Promise<void> {
    if (subject === undefined) return;
    const runs = await this.#bus.history.ofSubject(subject, LOOK_BACK);
    const maker = runs.find((run) => !isAbout(run, subject) && wrote(run, subject) && run.startedAt < at);
    if (maker !== undefined) this.#queue.push(maker);
  }

  #happened(cause: Cause, at: string, by: string | undefined): void {
    const key = cause.uid === undefined ? cause.eventId : `${cause.uid} ${cause.resourceVersion}`;
    const known = this.#happenings.get(key);
    if (known !== undefined && known.at <= at) return;
    this.#happenings.set(key, {
      step: "event",
      at,
      type: cause.sort === "deadline" ? `deadline ${cause.timer ?? ""}`.trim() : cause.type,
      subject: cause.subject,
      uid: cause.uid,
      resourceVersion: cause.resourceVersion,
      generation: cause.generation,
      by,
    });
  }

  steps(): readonly Step[] {
    const runs = [...this.#runs.values()].map((run): RunStep => ({ step: "run", at: endOf(run), run }));
    const order = (a: Step, b: Step): number =>
      Date.parse(a.at) - Date.parse(b.at) || Number(a.step === "run") - Number(b.step === "run");
    return [...this.#happenings.values(), ...runs].sort(order);
  }
}

async function keyStates(
  bus: Bus,
  runs: readonly RunRecord[],
  subject: string,
): Promise<readonly KeyState[]> {
  const own = Map.groupBy(
    runs.filter((run) => isAbout(run, subject)),
    (run) => `${run.function} ${run.key}`,
  );
  return Promise.all(
    [...own.values()].flatMap(([last]) => {
      if (last === undefined) return [];
      const key = { function: last.function, key: last.key };
      return [
        (async (): Promise<KeyState> => {
          const [pending, dead] = await Promise.all([bus.pending(key), bus.deadLetters.show(key)]);
          return {
            ...key,
            waitingFor: last.outcome === "waiting" ? last.waitingFor : [],
            deadlines: pending.deadlines,
            retryAt: pending.retryAt,
            attempts: pending.attempts,
            isQueued: pending.waiting && pending.retryAt === undefined,
            isRunning: pending.running,
            dead,
            isParked: last.outcome === "parked",
          };
        })(),
      ];
    }),
  );
}
