import type { Task } from "../graph/index.ts";
import type { Step, TaskRead } from "./step.ts";
import { type GateStep, isGate, type Start, type Walk, walk } from "./walk.ts";

/** The number of writes that one pass plans: between two passes the finished ones are written down. */
const WRITES = 1_000;
/** The number of objects that are read before their consequences are looked at. */
const BATCH = 128;

export interface LookParts {
  readonly start: Start;
  readonly gateOf: (task: Task) => GateStep;
  readonly stepOf: (task: Task, found: TaskRead) => Step;
  readonly read: (task: Task) => Promise<TaskRead>;
  /** The number of reads at once. */
  readonly parallel: number;
}

/** The steps that a pass can take, and every step that was found on the way. */
export interface Look extends Walk {
  readonly steps: ReadonlyMap<number, Step>;
}

/** Reads as far as the pass can go: each object once, and no further than there is work for this pass. */
export async function look({ start, gateOf, stepOf, read, parallel }: LookParts): Promise<Look> {
  const steps = new Map<number, Step>();
  for (;;) {
    const found = walk(start, (task) => (isGate(task) ? gateOf(task) : steps.get(task.index)));
    if (found.wanted.length === 0 || found.writes >= WRITES) return { ...found, steps };
    await atMost(parallel, found.wanted.slice(0, BATCH), async (task) => {
      steps.set(task.index, stepOf(task, await read(task)));
    });
  }
}

async function atMost<T>(limit: number, items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await act(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
