import { vi } from "vitest";
import { run } from "../cli/program.ts";
import type { Ended } from "./command-line.ts";

/** Runs one command line in this process, many times faster than in one of its own; for those that end by themselves. One at a time. */
export async function reveilleHere(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
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
  const former = { exitCode: process.exitCode, env: { ...process.env } };
  Object.assign(process.env, environment);
  try {
    const code = await run(words);
    return { code, stdout, stderr };
  } finally {
    process.exitCode = former.exitCode;
    for (const name of Object.keys(environment)) {
      const value = former.env[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    for (const spy of spies) spy.mockRestore();
  }
}
