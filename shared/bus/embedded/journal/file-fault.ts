import { messageOf } from "../../../errors.ts";
import { BusError, type BusErrorCode } from "../../errors.ts";

const faults = new Map<string, readonly [BusErrorCode, (file: string) => string]>([
  ...["ENOSPC", "EDQUOT", "EFBIG"].map(
    (code): [string, readonly [BusErrorCode, (file: string) => string]] => [
      code,
      ["BUS_FULL", (file) => `No space is left for ${file}; free some: the bus goes on by itself.`],
    ],
  ),
  ...["EACCES", "EPERM", "EROFS", "ENOENT", "EISDIR", "ENOTDIR"].map(
    (code): [string, readonly [BusErrorCode, (file: string) => string]] => [
      code,
      [
        "BUS_NOT_WRITABLE",
        (file) => `${file} cannot be opened or written; its folder must exist and be writable.`,
      ],
    ],
  ),
]);

/** An error of the file system as a `BusError`; any other as it was. */
export function fileFault(thrown: unknown, file: string): unknown {
  if (thrown instanceof BusError || !(thrown instanceof Error) || !("code" in thrown)) return thrown;
  const [code, sentence] = faults.get(String(thrown.code)) ?? [
    "BUS_IO" as const,
    () => `The disk failed while ${file} was read or written; look at the disk and the system's log.`,
  ];
  return new BusError(code, `${sentence(file)} (${messageOf(thrown)})`, { cause: thrown });
}
