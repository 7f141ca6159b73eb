import { randomBytes } from "node:crypto";
import type { Envelope } from "../../../events/index.ts";
import type { Failed, Finished, Lease, Lost, Work } from "../../bus/contract.ts";
import type { RunRecord } from "../../bus/run-record.ts";
import type { Clock } from "../../clock/clock.ts";
import { COMMANDS, type CommandFacts, commandName } from "../../function/commands.ts";
import { effectErrorOf } from "../../function/runner/errors.ts";
import { timeOf } from "../../function/time.ts";
import type { Log } from "../../log/log.ts";
import { type CarriedOut, type CommandParts, carryOut } from "./carry-out.ts";

export interface CommandWorkParts extends CommandParts {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The work of a host that also carries out commands and leaves paused functions alone. A command that is delivered again after its
 * effect is known by its run in the history, and a pause by what stands beside it in the cluster: neither acts twice.
 */
export function withCommands(work: Work, parts: CommandWorkParts): Work {
  const whole = async (lease: Lease): Promise<Finished | Failed | Lost> => {
    if (lease.item.function === COMMANDS) return runCommand(lease, parts);
    const startedAt = parts.clock.now();
    try {
      if (!(await parts.paused.has(lease.item.function))) return await work(lease);
    } catch (thrown) {
      // Only the question: the work itself does not throw.
      return failed(lease, parts, startedAt, thrown);
    }
    return finished(recordOf(lease, parts, startedAt, { outcome: "parked" }), {
      deadlines: undefined,
    });
  };
  return Object.assign(whole, { ahead: work.ahead });
}

async function runCommand(lease: Lease, parts: CommandWorkParts): Promise<Finished | Failed | Lost> {
  const startedAt = parts.clock.now();
  const { item, signal } = lease;
  const facts = item.sweep?.facts[0] as CommandFacts | undefined;
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
      ...(outcome === "refused" && { error: { code: "COMMAND_REFUSED", message } }),
    });
    return finished(run, { enqueue: came.enqueue });
  } catch (thrown) {
    return failed(lease, parts, startedAt, thrown);
  }
}

/** Whether a run of this very command ended well before: the bus delivers it again where an acknowledgement was lost. */
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
