import { stat } from "node:fs/promises";
import { filesInFolder, packFiles, writeFolder } from "../../../../../shared/archive/index.ts";
import { messageOf } from "../../../../../shared/errors.ts";
import { CliError } from "../../../../../shared/function/command-errors.ts";
import type { Folders } from "../contract.ts";

/** Resolves to undefined where nothing is there. */
const absent = (error: unknown): undefined => {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
};

/** Folders on this machine's disk. */
export const diskFolders = (): Folders => ({
  read: (folder, isWanted) =>
    told({ code: "CLI_STACK_FOLDER_UNREADABLE", what: `${folder} cannot be read` }, () =>
      filesInFolder(folder, isWanted),
    ),
  has: async (folder) => (await stat(folder).catch(absent))?.isDirectory() === true,
  save: (folder, files) =>
    told({ code: "CLI_STACK_FOLDER_UNWRITABLE", what: `${folder} cannot be written` }, async () => {
      await writeFolder(folder, files);
    }),
  pack: packFiles,
});

async function told<T>(
  { code, what }: { readonly code: string; readonly what: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isThere = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    const why = isThere ? "it is there already, and a release never changes" : messageOf(cause);
    throw new CliError(code, `${what}: ${why}.`, { cause });
  }
}
