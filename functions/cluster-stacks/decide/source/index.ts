export { type NamespacedReleases, namespacedReleases, type SourceOf, secretWaits } from "./asked.ts";
export { isClosed } from "./closed.ts";
export { credentialsIn, DEFAULT_SOURCE, type SecretPlace, secretOf } from "./credentials.ts";
