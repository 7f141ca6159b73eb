import { randomBytes } from "node:crypto";
import type { Envelope } from "../../../events/index.ts";
import type { Failed, Finished, Lease, Lost, Parked, RunEnding, Work } from "../../bus/contract.ts";
import type { RunRecord } from "../../bus/run-record.ts";
import type { Clock } from "../../clock/clock.ts";
import { notFarAhead, timeOf } from "../../clock/time.ts";
import { COMMANDS, type CommandFacts, commandName } from "../../function/commands.ts";
import { HOME } from "../../kube/client/index.ts";
import type { Log } from "../../log/log.ts";
import { effectErrorOf } from "../../runner/errors.ts";
import { awayError, type Parking } from "../../runner/parking.ts";
import { parkedBehind, type Reach } from "../reach.ts";
import { type CarriedOut, type CommandParts, carryOut } from "./carry-out.ts";

export interface CommandWorkParts extends CommandParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Default: all that runs need is there. */
  readonly reach?: Reach | undefined;
}

/** The pause before a run whose question could not be answered asks again, where nothing else says it. */
const ASK_AGAIN_MILLISECONDS = 15_000;

/**
 * The work of a host that also carries out commands and leaves paused functions alone. A command that is delivered again after its
 * effect is known by its run in the history, and a pause by what stands beside it in the cluster: neither acts twice.
 */
export function withCommands(work: Work, parts: CommandWorkParts): Work {
  const whole = async (lease: Lease): Promise<RunEnding> => {
    const startedAt = parts.clock.now();
    const { function: name } = lease.item;
    const blocked = await parts.reach?.blocked(name);
    if (blocked !== undefined) return parked(lease, parts, startedAt, blocked);
    if (name === COMMANDS) return runCommand(lease, parts);
    let paused: boolean;
    try {
      paused = await parts.paused.has(name);
    } catch (thrown) {
      // The question is about no key, whatever became of it.
      return unanswered(lease, parts, startedAt, thrown);
    }
    return paused ? leftAlone(lease, parts, startedAt) : work(lease);
  };
  return Object.assign(whole, { ahead: work.ahead });
}

const leftAlone = (lease: Lease, parts: CommandWorkParts, startedAt: number): Finished =>
  finished(recordOf(lease, parts, startedAt, { outcome: "parked" }), { deadlines: undefined });

function parked(
  lease: Lease,
  parts: CommandWorkParts,
  startedAt: number,
  parking: Parking,
  met?: { readonly code: string },
): Parked {
  const error = awayError(parking, met);
  return parkedBehind(parking, error, recordOf(lease, parts, startedAt, { outcome: "away", error }));
}

async function unanswered(
  lease: Lease,
  parts: CommandWorkParts,
  startedAt: number,
  thrown: unknown,
): Promise<Parked | Lost> {
  const away = await parts.reach?.check(lease.item.function);
  if (lease.signal.aborted) return { state: "lost" };
  const { code, message, retryAfterMilliseconds = 0 } = effectErrorOf(thrown);
  if (away !== undefined) return parked(lease, parts, startedAt, away, { code });
  const { function: name, key } = lease.item;
  parts.log.warn(
    { function: name, key, code, err: thrown },
    "the state of its pause is not known, tried again",
  );
  const error = { code, message: `Whether the function is paused could not be read: ${message}` };
  const milliseconds = Math.max(parts.reach?.pause() ?? ASK_AGAIN_MILLISECONDS, retryAfterMilliseconds);
  const run = recordOf(lease, parts, startedAt, { outcome: "away", error });
  return parkedBehind({ behind: HOME, reason: message, milliseconds }, error, run);
}

async function runCommand(lease: Lease, parts: CommandWorkParts): Promise<RunEnding> {
  const startedAt = parts.clock.now();
  const { item, signal } = lease;
  const told = item.sweep?.facts[0] as CommandFacts | undefined;
  const facts = told && { ...told, time: notFarAhead(told.time, startedAt) };
  const cause = item.causes[0];
  try {
    if (facts === undefined || cause === undefined || (await isDone(item.key, parts)))
      return finished(recordOf(lease, parts, startedAt, {}));
    const came = await carryOut({ facts, cause, signal }, parts);
    if (!(await lease.held())) return { state: "lost" };
    await publishOutcome(facts, came, parts);
    const { type, id, payload } = facts;
    const { askedBy } = payload as { readonly askedBy?: string };
    const { outcome, message } = came;
    parts.log.info({ command: id, type, askedBy, outcome }, message);
    const run = recordOf(lease, parts, startedAt, {
      writes: came.writes,
      answer: { outcome, message },
      ...(outcome === "refused" && { error: { code: "COMMAND_REFUSED", message } }),
    });
    return finished(run, { enqueue: came.enqueue });
  } catch (thrown) {
    const away = await parts.reach?.check(COMMANDS);
    if (away !== undefined && !signal.aborted)
      return parked(lease, parts, startedAt, away, effectErrorOf(thrown));
    return failed(lease, parts, startedAt, thrown);
  }
}

/** True where a run of this very command ended well before: the bus delivers it again where an acknowledgement was lost. */
async function isDone(key: string, { bus }: CommandWorkParts): Promise<boolean> {
  const runs = await bus.history.ofKey({ function: COMMANDS, key }, 10);
  return runs.some(({ outcome }) => outcome === "done");
}

async function publishOutcome(
  { id, type, payload }: CommandFacts,
  { outcome, message }: CarriedOut,
  { bus, clock }: CommandWorkParts,
): Promise<void> {
  const { askedBy = "somebody" } = payload as { readonly askedBy?: string };
  const event: Envelope = {
    specversion: "1.0",
    id: `outcome/${commandName(id)}`,
    type: "command.outcome",
    source: "/commands",
    time: timeOf(clock.now()),
    datacontenttype: "application/json",
    data: { command: id, type, askedBy, outcome, message: message.slice(0, 1024) },
  };
  await bus.publish([event]);
}

const finished = (run: RunRecord, more: Partial<Pick<Finished, "enqueue" | "deadlines">> = {}): Finished => ({
  state: "finished",
  echoes: [],
  waits: [],
  deadlines: {},
  net: undefined,
  again: false,
  enqueue: [],
  run,
  ...more,
});

function failed(lease: Lease, parts: CommandWorkParts, startedAt: number, thrown: unknown): Failed | Lost {
  if (lease.signal.aborted) return { state: "lost" };
  const { code, message, retryable, retryAfterMilliseconds } = effectErrorOf(thrown);
  const { function: name, key, attempt } = lease.item;
  parts.log.warn({ function: name, key, attempt, code, err: thrown }, "failed");
  const outcome = !retryable || lease.item.lastAttempt === true ? "dead" : "retry";
  const error = { code, message };
  const run = recordOf(lease, parts, startedAt, { outcome, error });
  return { state: "failed", error, retryable, retryAfterMilliseconds, echoes: [], subjects: {}, run };
}

function recordOf(
  { item }: Lease,
  { clock }: CommandWorkParts,
  startedAt: number,
  more: Partial<RunRecord>,
): RunRecord {
  const id = randomBytes(8).toString("hex");
  const trace =
    item.causes.find(({ traceparent }) => traceparent !== undefined)?.traceparent?.split("-")[1] ??
    randomBytes(16).toString("hex");
  return {
    id,
    function: item.function,
    key: item.key,
    lane: item.lane,
    attempt: item.attempt,
    startedAt: timeOf(startedAt),
    milliseconds: clock.now() - startedAt,
    traceparent: `00-${trace}-${id}-01`,
    causes: item.causes,
    reads: [],
    writes: [],
    outcome: "done",
    waitingFor: [],
    deadlines: {},
    ...more,
  };
}
