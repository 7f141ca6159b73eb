export { mayConcern } from "./concern.ts";
export { alikeImages, nameAndTag } from "./images.ts";
export { manifestName } from "./name.ts";
export { definedScopes, isDefinition, layerObjects, metadataFault, scopeKey, versionsOf } from "./objects.ts";
export { type ManifestReads, observeManifest } from "./observe.ts";
export { kymaOf } from "./owner.ts";
export { failedManifest, manifestDeletion, manifestPass } from "./pass.ts";
export { askedOf, handlerOf, unconfigured } from "./trusted.ts";
export { isWorkload } from "./workloads.ts";
