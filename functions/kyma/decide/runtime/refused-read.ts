import { KubeError } from "../../../../shared/kube/errors.ts";

/** The words of a runtime's server that does not let itself be read. */
export interface RefusedRead {
  readonly message: string;
  /** The right may be given at any time, and nobody tells of that. */
  readonly retryable: true;
}

/** Reads in a runtime. A server that is slow or away is none that refuses. */
export async function unlessRefused<T>(
  read: () => Promise<T>,
): Promise<{ readonly read: T } | { readonly refused: RefusedRead }> {
  try {
    return { read: await read() };
  } catch (thrown) {
    if (!(thrown instanceof KubeError) || thrown.kind !== "forbidden") throw thrown;
    return { refused: { message: thrown.sentence, retryable: true } };
  }
}
