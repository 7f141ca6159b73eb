import { type AnyObject, note } from "../../../../shared/function/index.ts";
import type { Configuration } from "../../configuration.ts";
import { FILTER_LABEL } from "../../kinds/index.ts";

type Filter = Pick<Configuration, "watchFilter">;

/** True for an object that is another program's: the configuration asks for a label that it does not have. */
export const isLeftOut = ({ metadata }: Pick<AnyObject, "metadata">, { watchFilter }: Filter): boolean =>
  watchFilter !== undefined && metadata.labels[FILTER_LABEL] !== watchFilter;

/** The labels of what is made for an object: it is to be handled by the same program. */
export const filterLabels = ({ watchFilter }: Filter): Readonly<Record<string, string>> =>
  watchFilter === undefined ? {} : { [FILTER_LABEL]: watchFilter };

/** Leaves an object alone, its deletion too. Where no other program is named either, an Event says what it lacks. */
export function leftOut(self: AnyObject, { watchFilter = "" }: Filter) {
  const wanted = `the label ${FILTER_LABEL}=${watchFilter}`;
  return {
    effects:
      self.metadata.labels[FILTER_LABEL] === undefined
        ? note(self, "Normal", "LeftAlone", `it is left alone until it has ${wanted}`)
        : [],
    waitingFor: [{ for: wanted }],
  };
}
