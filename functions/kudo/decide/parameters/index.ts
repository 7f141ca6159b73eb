export { type Changes, changesOf, type Edit } from "./changes.ts";
export {
  effectiveValue,
  effectiveValues,
  type Named,
  parametersOf,
  type Values,
  valueIn,
} from "./effective.ts";
export {
  droppedByUpgrade,
  immutableDefaults,
  immutableFault,
  keptImmutables,
  upgradeFault,
} from "./immutable.ts";
export { defaultFault, templateValue, typeFault, valueFault, valuesFault } from "./value-types.ts";
export { type PackageValue, wireText } from "./wire.ts";
