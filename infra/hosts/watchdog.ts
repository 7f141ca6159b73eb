import { url as inspectorUrl } from "node:inspector";
import { Worker } from "node:worker_threads";

/**
 * The signal that ends a process whose event loop stands still: exit code 142, as shells and containers count it. It needs no
 * event loop.
 */
const WATCHDOG_SIGNAL = "SIGALRM";
const BEATS_IN_LIMIT = 10;
const MOST_BETWEEN_BEATS = 1_000;

interface Watched {
  /** [0] rises with every beat of the event loop; [1] is 1 under an inspector. */
  readonly shared: SharedArrayBuffer;
  readonly limit: number;
  readonly beat: number;
  readonly signal: NodeJS.Signals;
}

/**
 * The whole thread. It counts only time in which it ran itself: after SIGCONT, or a night of sleep, its own clock has leapt too, and the
 * event loop gets its whole time once more. Its text becomes the thread's program, so it names nothing from outside.
 */
function watch(
  { shared, limit, beat, signal }: Watched,
  write: (fd: number, text: string) => void,
  { pid, kill }: Pick<NodeJS.Process, "pid" | "kill">,
): void {
  const told = new Int32Array(shared);
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  let seen = Atomics.load(told, 0);
  let stood = 0;
  for (let last = performance.now(); ; ) {
    Atomics.wait(nobody, 0, 0, beat);
    const now = performance.now();
    const passed = now - last;
    last = now;
    const beats = Atomics.load(told, 0);
    if (beats !== seen || Atomics.load(told, 1) === 1 || passed > beat * 3) {
      seen = beats;
      stood = 0;
      continue;
    }
    stood += passed;
    if (stood < limit) continue;
    const msg =
      "the event loop has stood still for longer than watchdog.limit, so nothing is run or renewed: " +
      "this process ends; a function computes for too long, or for ever";
    const line = {
      level: "fatal",
      time: new Date().toISOString(),
      code: "WATCHDOG",
      milliseconds: stood,
      msg,
    };
    write(1, `${JSON.stringify(line)}\n`);
    kill(pid, signal);
    return;
  }
}

/**
 * Ends this process once its event loop has stood still for longer than `limit` (milliseconds): what it holds is then run elsewhere,
 * when its leases end. It says why on stdout first. Under an inspector it only looks on.
 * @returns what stops it
 */
export function startWatchdog(limit: number): () => void {
  const shared = new SharedArrayBuffer(8);
  const told = new Int32Array(shared);
  const beat = Math.min(MOST_BETWEEN_BEATS, limit / BEATS_IN_LIMIT);
  const look = (): void => {
    Atomics.add(told, 0, 1);
    Atomics.store(told, 1, inspectorUrl() === undefined ? 0 : 1);
  };
  look();
  const timer = setInterval(look, beat).unref();
  const workerData: Watched = { shared, limit, beat, signal: WATCHDOG_SIGNAL };
  const program = `(${watch})(require("node:worker_threads").workerData, require("node:fs").writeSync, process)`;
  const thread = new Worker(program, {
    eval: true,
    name: "watchdog",
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  thread.unref();
  return () => {
    clearInterval(timer);
    void thread.terminate();
  };
}
