import { isUtf8 } from "node:buffer";
import { access, constants, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { messageOf } from "../../../../../shared/errors.ts";
import { CliError } from "../../../../../shared/function/command-errors.ts";
import type { Files } from "../contract.ts";

const LARGEST = 4 * 1024 * 1024;
const MOST_FILES = 10_000;

/** The files of this machine. */
export const diskFiles: Files = {
  async text(path) {
    try {
      if ((await stat(path)).size > LARGEST) throw new Error("it is larger than 4 MiB");
      return utf8(await readFile(path));
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
  async within(path) {
    try {
      const entries = await readdir(path, { withFileTypes: true, recursive: true });
      const found = await Promise.all(
        entries.map(async (entry) => {
          const place = join(entry.parentPath, entry.name);
          // Hidden ones are no part of it: volumes of Kubernetes lead there by links, editors lock by them.
          if (
            relative(path, place)
              .split(sep)
              .some((part) => part.startsWith("."))
          )
            return [];
          if (!entry.isSymbolicLink()) return entry.isFile() ? [place] : [];
          const target = await stat(place);
          // Objects of a file that is passed over would be deleted from the cluster.
          if (target.isDirectory())
            throw new Error(`${place} is a link to a folder: put the folder itself there`);
          return target.isFile() ? [place] : [];
        }),
      );
      const files = found.flat();
      if (files.length > MOST_FILES) throw new Error(`it holds more than ${MOST_FILES} files`);
      return files.sort();
    } catch (thrown) {
      throw new CliError(
        "CLI_FOLDER_UNREADABLE",
        `${path} cannot be read: ${messageOf(thrown)}. Name a folder that can.`,
        { cause: thrown },
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

/** The text of bytes, without the mark that Windows' programs put before it. Letters of another encoding would be replaced, and nobody would know. */
function utf8(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error("it is no UTF-8 text");
  return new TextDecoder().decode(bytes);
}
