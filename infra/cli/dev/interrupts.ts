import { exitCodes } from "../../../shared/function/command-errors.ts";

/** npm hands a Ctrl-C on although the terminal has sent it already: so close together they are one. */
const SAME_MILLISECONDS = 400;

export interface Interrupts {
  /** Aborted by the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** The first one asks for a clean end, the second one ends at once. */
export function watchInterrupts(onFirst: () => void): Interrupts {
  const controller = new AbortController();
  let first: number | undefined;
  const interrupted = (name: NodeJS.Signals): void => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      onFirst();
      controller.abort(new Error("interrupted"));
    } else if (now - first > SAME_MILLISECONDS)
      process.exit(name === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted);
  };
  const names: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const name of names) process.on(name, interrupted);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of names) process.off(name, interrupted);
    },
  };
}
