import { KubeError } from "../kube/errors.ts";
import { TerminalError } from "./terminal-error.ts";

const isOfNoKind = (error: unknown): boolean => error instanceof KubeError && error.kind === "kindMissing";

/** Reads objects of a kind that others install: where it is not there, there are none. */
export async function whereKnown<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await read();
  } catch (error) {
    if (isOfNoKind(error)) return [];
    throw error;
  }
}

/** Reads an object that the configuration may not admit, which is told in words; one of a kind that is not there yet is not there. */
export async function whereAdmitted<T>(
  read: () => Promise<T | undefined>,
): Promise<{ readonly value: T | undefined } | { readonly refused: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    if (isOfNoKind(error)) return { value: undefined };
    if (error instanceof TerminalError && error.code === "KIND_NOT_ADMITTED")
      return { refused: error.message };
    throw error;
  }
}
