export {
  compared,
  type Inventory,
  MOST_ITEMS,
  missingIn,
  recorded,
  type Sighting,
  withoutMissing,
} from "./inventory.ts";
