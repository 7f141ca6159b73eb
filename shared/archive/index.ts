export { ArchiveError, type ArchiveErrorCode } from "./errors.ts";
export { ArchiveBounds, type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS, filesOf } from "./files.ts";
export { filesInFolder, writeFolder } from "./folder.ts";
export { packFiles, packTar } from "./pack.ts";
export { type Packing, packingOf } from "./packing.ts";
export { isTar, plainFile } from "./plain.ts";
export { safePath } from "./safe-path.ts";
export { type ArchiveEntry, type ArchiveVisitor, unpack } from "./unpack.ts";
