import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A line of the oracle's protocol. */
export interface Question {
  readonly id: number;
  readonly template: string;
  readonly name: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, { readonly type: string; readonly value: string }>>;
  readonly pipes?: Readonly<Record<string, string>>;
}

/** Go's answer to it. */
export interface Answer {
  readonly id: number;
  readonly output?: string;
  readonly base64?: string;
  readonly error?: string;
  readonly class?: "parse" | "exec" | "param";
  readonly line?: number;
}

/** The two libraries whose `toYaml` there is. */
export type YamlLibrary = "sigs" | "v2";

const PROGRAM = "kudo-template-oracle";

/** The path of the oracle; undefined where there is none. It is a Go program that renders as KUDO does. */
export const oraclePath = (): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, PROGRAM))
    .find((path) => existsSync(path));

/** True where there is no oracle to ask. With `CI=true` always false, so that what needs it fails. */
export const skipWithoutOracle = (): boolean => process.env.CI !== "true" && oraclePath() === undefined;

/** Go's answers to questions, in their order. */
export function ask(questions: readonly Question[], library: YamlLibrary): readonly Answer[] {
  const path = oraclePath();
  if (path === undefined) throw new Error(`${PROGRAM} is not on the PATH`);
  const { stdout, stderr, status } = spawnSync(path, ["--toyaml", library], {
    input: questions.map((question) => `${JSON.stringify(question)}\n`).join(""),
    maxBuffer: 1 << 30,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the oracle ended with ${status}: ${stderr}`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}
