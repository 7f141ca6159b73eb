export { type CatalogCycle, catalogCycles, cyclesText, cycleText, newCycles } from "./catalog-cycles.ts";
export { adviceOn, type Dependencies, dependenciesAmong, isAdvice } from "./dependencies.ts";
export {
  dependencyAnnotations,
  type EnabledModule,
  isOfferedBy,
  keptCapabilities,
  keptRequirements,
  kindsNamedBy,
  kindsOfObject,
  type Offer,
  wordsOf,
} from "./module.ts";
export { isRange, noRange, type Provider, providerFault } from "./provider.ts";
