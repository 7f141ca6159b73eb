import type { Finished, Parked } from "./contract.ts";
import type { BusError } from "./errors.ts";
import type { NewItem, SweepSource } from "./item.ts";
import { keyName } from "./key-name.ts";

/** The time after which a run looks again that found more than there was room for. */
const FULL_MILLISECONDS = 2_000;

/** An item that a run found for another key, under the name that orders it. */
export interface FoundItem {
  readonly item: NewItem;
  readonly name: string;
}

/** The items that a run found, in their order, without those of which the sweep knows that they stand. */
export const leftToSend = (
  items: readonly NewItem[],
  sweep: SweepSource | undefined,
): readonly FoundItem[] => {
  const { after } = sweep ?? {};
  return items
    .map((item) => ({ item, name: keyName(item) }))
    .filter(({ name }) => after === undefined || name > after)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** The end of a run that found more than the bus has room for: it looks again once some of it is gone. */
export const withoutRoom = ({ echoes, run }: Finished, { code, message }: BusError): Parked => ({
  state: "parked",
  behind: "bus",
  milliseconds: FULL_MILLISECONDS,
  error: { code, message },
  echoes,
  run,
});
