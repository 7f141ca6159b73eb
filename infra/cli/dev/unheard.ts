import type { Log } from "../../../shared/log/log.ts";

/**
 * A function may start a promise and never await it. When that fails, nobody hears of it, and Node would end the process with
 * all other functions in it: it is told instead. Returns what takes this back.
 */
export function tellUnheard(log: Log): () => void {
  const tell = (reason: unknown): void =>
    log.error(
      { err: reason },
      "a promise failed that nobody awaits: await every promise that a function starts",
    );
  process.on("unhandledRejection", tell);
  return () => {
    process.off("unhandledRejection", tell);
  };
}
