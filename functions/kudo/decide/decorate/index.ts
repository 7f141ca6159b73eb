export { decorated, labelsOf } from "./decorate.ts";
export { type Dependency, dependenciesOf } from "./dependencies.ts";
export { dependenciesHash } from "./dependencies-hash.ts";
export * from "./marks.ts";
export type { Origin } from "./origin.ts";
export { type PipePlace, pipeArtifactName, pipePodName } from "./pipe-name.ts";
