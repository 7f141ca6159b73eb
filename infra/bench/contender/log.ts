import type { Log } from "../../../shared/log/log.ts";

const plain = (fields: object): string =>
  JSON.stringify(fields, (_, value: unknown) =>
    value instanceof Error ? (value.stack ?? value.message) : value,
  );

const nothing = (): void => undefined;

/** Warnings and errors as lines on stderr, without a library: what is measured is the engine. */
export function plainLog(bindings: object = {}): Log {
  const write = (level: string) => (fields: object, message: string) => {
    process.stderr.write(`${level} ${message} ${plain({ ...bindings, ...fields })}\n`);
  };
  return {
    debug: nothing,
    info: nothing,
    warn: write("warn"),
    error: write("error"),
    child: (fields) => plainLog({ ...bindings, ...fields }),
  };
}
