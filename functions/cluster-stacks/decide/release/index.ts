export { releaseDeletion } from "./deletion.ts";
export { failedRelease } from "./failed.ts";
export { DEFAULT_SOURCE, observeRelease, type ReleaseReads } from "./observe.ts";
export { releasePass } from "./pass.ts";
