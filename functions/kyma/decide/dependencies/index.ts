export { adviceOn, type Dependencies, dependenciesAmong } from "./dependencies.ts";
export {
  dependencyAnnotations,
  type EnabledModule,
  keptCapabilities,
  keptRequirements,
  wordsOf,
} from "./module.ts";
export { type Provider, providerFault } from "./provider.ts";
