import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "../../../../../../shared/clock/clock.ts";
import { messageOf } from "../../../../../../shared/errors.ts";
import { ChartError } from "../../errors.ts";

/** The bounds of one process. */
export interface Limits {
  readonly timeMilliseconds: number;
  /** The size of its address space; the kernel enforces it. */
  readonly memoryBytes: number;
  readonly outputBytes: number;
}

/** The end of a process. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

const KIBIBYTE = 1024;
/** The most of its error messages that is kept. */
const ERROR_BYTES = 64 * KIBIBYTE;

/** The pieces of a stream, up to a number of bytes. */
class Collected {
  readonly #pieces: Buffer[] = [];
  readonly #most: number;
  bytes = 0;
  constructor(most: number) {
    this.#most = most;
  }
  add(piece: Buffer): boolean {
    this.bytes += piece.byteLength;
    const fits = this.bytes <= this.#most;
    if (fits) this.#pieces.push(piece);
    return fits;
  }
  get text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
}

function start(binary: string, args: readonly string[], folder: string, memoryBytes: number): ChildProcess {
  // A process limits itself before it becomes helm: Node sets no such limit.
  const limited = `ulimit -v ${Math.floor(memoryBytes / KIBIBYTE)} && exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", limited, binary, ...args], {
    cwd: folder,
    env: { HOME: folder, GOMAXPROCS: "2", GOMEMLIMIT: String(Math.floor(memoryBytes / 2)) },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a binary within its bounds. @throws ChartError `CHART_LIMIT` where it exceeds one, `CHART_HELM_UNUSABLE` where it does not run */
export function run(
  binary: string,
  args: readonly string[],
  folder: string,
  limits: Limits,
  clock: Clock,
): Promise<Ended> {
  const { timeMilliseconds, memoryBytes, outputBytes } = limits;
  return new Promise((resolve, reject) => {
    const child = start(binary, args, folder, memoryBytes);
    const output = new Collected(outputBytes);
    const errors = new Collected(ERROR_BYTES);
    let exceeded: string | undefined;
    const stop = (why: string): void => {
      exceeded ??= why;
      child.kill("SIGKILL");
    };
    const cancel = clock.after(timeMilliseconds, () => stop(`it takes more than ${timeMilliseconds} ms`));
    child.stdout?.on("data", (piece: Buffer) => {
      if (!output.add(piece)) stop(`it prints more than ${outputBytes} bytes`);
    });
    child.stderr?.on("data", (piece: Buffer) => void errors.add(piece));
    child.once("error", (cause) => {
      cancel();
      reject(unusable(binary, messageOf(cause), cause));
    });
    child.once("close", (code) => {
      cancel();
      if (/out of memory|cannot allocate memory|failed to reserve/.test(errors.text))
        exceeded ??= `it takes more than ${memoryBytes} bytes of memory`;
      if (exceeded !== undefined) reject(new ChartError("CHART_LIMIT", `helm was ended: ${exceeded}`));
      else if (code === 126 || code === 127) reject(unusable(binary, errors.text.trim()));
      else resolve({ code, output: output.text, errors: errors.text });
    });
  });
}

const unusable = (binary: string, why: string, cause?: unknown): ChartError =>
  new ChartError(
    "CHART_HELM_UNUSABLE",
    `the helm binary ${binary} does not run (${why}): name one that does, or none, which renders without`,
    {},
    cause,
  );
