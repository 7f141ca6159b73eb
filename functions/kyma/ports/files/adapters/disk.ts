import { access, constants, mkdir, readFile, stat } from "node:fs/promises";
import { messageOf } from "../../../../../shared/errors.ts";
import { CliError } from "../../../../../shared/function/command-errors.ts";
import type { Files } from "../contract.ts";

const LARGEST = 4 * 1024 * 1024;

/** The files of this machine. */
export const diskFiles: Files = {
  async text(path) {
    try {
      if ((await stat(path)).size > LARGEST) throw new Error("it is larger than 4 MiB");
      return await readFile(path, "utf8");
    } catch (thrown) {
      throw new CliError(
        "CLI_FILE_UNREADABLE",
        `${path} cannot be read: ${messageOf(thrown)}. Name a file that can.`,
        {
          cause: thrown,
        },
      );
    }
  },
  async folder(path) {
    try {
      await mkdir(path, { recursive: true });
      await access(path, constants.W_OK);
    } catch (thrown) {
      throw new CliError(
        "CLI_FOLDER_UNWRITABLE",
        `${path} cannot be written: ${messageOf(thrown)}. Name a folder that can.`,
        { cause: thrown },
      );
    }
  },
};
