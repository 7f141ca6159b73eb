import type { SlotPlace, Wait } from "../../../../shared/function/index.ts";

/** Values follow the objects at home that they are made of. */
export const valueWaits = (places: readonly SlotPlace[]): readonly Wait[] =>
  places.map((object) => ({ for: `${object.kind} ${object.name} to change`, object }));
