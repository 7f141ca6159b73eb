export { releaseDeletion } from "./deletion.ts";
export { failedRelease } from "./failed.ts";
export { observeRelease, type ReleaseReads } from "./observe.ts";
export { releasePass } from "./pass.ts";
