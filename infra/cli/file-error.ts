import { CliError } from "../../shared/function/command-errors.ts";

const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && "code" in thrown ? thrown.code : undefined;

/** A failure of the file system as a sentence that says what to do; anything else as it is. */
export function fileError(thrown: unknown, path: string): unknown {
  const options = { cause: thrown };
  switch (codeOf(thrown)) {
    case "EACCES":
    case "EPERM":
      return new CliError(
        "CLI_NOT_WRITABLE",
        `${path} cannot be written by this user: choose another folder with --data, or change its owner.`,
        options,
      );
    case "EROFS":
      return new CliError(
        "CLI_NOT_WRITABLE",
        `${path} lies on a read-only file system: choose another folder with --data.`,
        options,
      );
    case "ENOSPC":
    case "EDQUOT":
      return new CliError(
        "CLI_DISK_FULL",
        `No space is left for ${path}: free some, or choose another folder with --data.`,
        options,
      );
    case "ENOTDIR":
    case "EEXIST":
      return new CliError(
        "CLI_NOT_A_FOLDER",
        `${path} cannot be used because a file is in the way: choose another folder with --data.`,
        options,
      );
    case "ENOENT":
      return new CliError("CLI_NOT_FOUND", `${path} does not exist: correct the path.`, options);
    default:
      return thrown;
  }
}
