import { messageOf } from "../../errors.ts";
import { BusError, type BusErrorCode } from "../errors.ts";

/** SQLite's primary result codes (sqlite.org/rescode.html) that people can do something about. */
const sentences = new Map<number, readonly [BusErrorCode, (file: string) => string]>([
  [
    3,
    [
      "BUS_NOT_WRITABLE",
      (file) =>
        `No right to open ${file}; give the user that runs Reveille write rights on the file and its folder.`,
    ],
  ],
  [
    5,
    [
      "BUS_BUSY",
      (file) => `Another process held ${file} for too long; look for a second Reveille on it that hangs.`,
    ],
  ],
  [6, ["BUS_BUSY", (file) => `Another part of this process held ${file} for too long; open it once only.`]],
  [
    8,
    [
      "BUS_NOT_WRITABLE",
      (file) => `${file} or its folder is read-only; make both writable or choose another place with --data.`,
    ],
  ],
  [
    10,
    [
      "BUS_IO",
      (file) => `The disk failed while ${file} was read or written; look at the disk and the system's log.`,
    ],
  ],
  [11, ["BUS_CORRUPT", (file) => `${file} is damaged; move it away and start again: every key is resynced.`]],
  [13, ["BUS_FULL", (file) => `No space is left for ${file}; free some: the bus goes on by itself.`]],
  [
    14,
    [
      "BUS_NOT_WRITABLE",
      (file) => `${file} cannot be opened or made; its folder must exist and be writable.`,
    ],
  ],
  [
    26,
    ["BUS_CORRUPT", (file) => `${file} is no database; move it away or choose another place with --data.`],
  ],
]);

/** An error of SQLite as a `BusError` where it is one of those above; any other as it was. */
export function translated(thrown: unknown, file: string): unknown {
  if (!(thrown instanceof Error) || !("errcode" in thrown) || typeof thrown.errcode !== "number")
    return thrown;
  const known = sentences.get(thrown.errcode & 0xff);
  if (known === undefined) return thrown;
  const [code, sentence] = known;
  return new BusError(code, `${sentence(file)} (${messageOf(thrown)})`, { cause: thrown });
}
