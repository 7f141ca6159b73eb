export { hashVersion, stackHashes } from "./hashes.ts";
export { type Ignoring, type PackedVersions, type ReleaseDraft, releaseDraft } from "./pack.ts";
export { isStackFile, type StackSource, stackSource } from "./source.ts";
export { type FormerRelease, nextVersions } from "./versions.ts";
