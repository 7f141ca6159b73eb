import { DatabaseSync } from "node:sqlite";
import { CliError } from "../../../shared/function/command-errors.ts";
import { fileError } from "../file-error.ts";
import { readRunFile, type StateDirectory } from "../state-directory.ts";

const SQLITE_BUSY = 5;
const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && "errcode" in thrown && thrown.errcode === SQLITE_BUSY;

function take(directory: StateDirectory): (() => void) | undefined {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(directory.lock, { timeout: 300 });
  } catch (thrown) {
    throw fileError(thrown, directory.lock);
  }
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (thrown) {
    database.close();
    if (isBusy(thrown)) return undefined;
    throw thrown;
  }
  return () => database.close();
}

/**
 * Takes the data directory for this process; the returned function gives it back. The operating system holds the lock (SQLite's
 * own), so a killed process leaves none behind and a reused pid misleads nobody. Throws a `CliError` that names the holder.
 */
export function lockDirectory(directory: StateDirectory): () => void {
  const release = take(directory);
  if (release !== undefined) return release;
  const pid = readRunFile(directory)?.pid;
  throw new CliError(
    "CLI_ALREADY_RUNNING",
    `Reveille already runs on ${directory.path}${pid === undefined ? "" : ` (pid ${pid})`}: stop it first, or choose another folder with --data.`,
  );
}

/** True where a process holds the data directory now. */
export function isLocked(directory: StateDirectory): boolean {
  const release = take(directory);
  release?.();
  return release === undefined;
}
