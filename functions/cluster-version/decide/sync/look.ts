import type { Task } from "../graph/index.ts";
import type { Step, TaskRead } from "./step.ts";
import { type GateStep, isGate, type Start, type Walk, walk } from "./walk.ts";

/** How many writes one pass plans: between two passes it is written down what is done. */
const WRITES = 1_000;
/** How many objects are read before it is looked at what follows from them. */
const BATCH = 128;

export interface LookParts {
  readonly start: Start;
  readonly gateOf: (task: Task) => GateStep;
  readonly stepOf: (task: Task, found: TaskRead) => Step;
  readonly read: (task: Task) => Promise<TaskRead>;
  /** How many reads at once. */
  readonly parallel: number;
}

/** What a pass can do, and every step that was found on the way. */
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
