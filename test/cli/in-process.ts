import { vi } from "vitest";
import { run } from "../../infra/cli/program.ts";
import type { Ended } from "../../infra/testing/command-line.ts";

/** Runs one command line in this process; for those that end by themselves. One at a time. */
export async function here(words: readonly string[]): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      stdout += String(text);
      return true;
    }),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      stderr += String(text);
      return true;
    }),
  ];
  const restore = (): void => {
    for (const spy of spies) spy.mockRestore();
  };
  const before = process.exitCode;
  try {
    const code = await run(words);
    return { code, stdout, stderr };
  } finally {
    process.exitCode = before;
    restore();
  }
}
