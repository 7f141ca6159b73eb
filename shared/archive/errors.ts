import { ReveilleError } from "../errors.ts";

/** An archive that is not taken: nothing of it was written anywhere. The message begins with what is wrong. */
export class ArchiveError extends ReveilleError {
  constructor(code: ArchiveErrorCode, message: string, cause?: unknown) {
    super(code, message, { cause });
  }
}

export type ArchiveErrorCode = "ARCHIVE_DAMAGED" | "ARCHIVE_TOO_LARGE" | "ARCHIVE_UNSAFE";
