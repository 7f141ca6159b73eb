export { manifestName } from "./name.ts";
export { type ManifestReads, observeManifest } from "./observe.ts";
export { failedManifest, manifestDeletion, manifestPass } from "./pass.ts";
