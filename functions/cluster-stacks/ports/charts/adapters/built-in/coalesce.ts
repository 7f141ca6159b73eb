import { bytesOf, Dict, type Value } from "../../../../../../shared/templates/index.ts";

/** The parts of a chart that values flow through: its name (the alias where it has one), its own values, its subcharts. */
export interface Valued {
  readonly name: string;
  readonly values: Dict;
  readonly subcharts: readonly Valued[];
}

/** The key of the values that all charts see. */
export const GLOBAL = "global";

/** A copy that shares no map with its original. */
export function copied(value: Value): Value {
  return value instanceof Dict ? copiedDict(value) : value;
}
/** The same for a map. */
export const copiedDict = ({ entries }: Dict): Dict =>
  new Dict([...entries].map(([key, value]) => [key, copied(value)]));

/** A subchart's values are no map. */
export class SubchartValuesFault extends Error {
  readonly chart: string;
  constructor(chart: string) {
    super(`the values of the subchart ${chart} are no map`);
    this.chart = chart;
  }
}

/**
 * The values of a chart and of its subcharts: those that are given go before those of the chart, those of a chart before those of
 * its subcharts; maps are merged, everything else is replaced.
 * @param keepsNull true where values are gathered for later: a null stays; else it takes a default away
 * @throws SubchartValuesFault
 */
export function coalesce(chart: Valued, given: Dict, keepsNull: boolean): Dict {
  return into(chart, copiedDict(given), keepsNull);
}

function into(chart: Valued, target: Dict, keepsNull: boolean): Dict {
  ownValues(chart, target, keepsNull);
  for (const subchart of chart.subcharts) {
    const key = bytesOf(subchart.name);
    const there = target.entries.get(key);
    if (there !== undefined && !(there instanceof Dict)) throw new SubchartValuesFault(subchart.name);
    const values = there ?? new Dict();
    globals(values, target);
    target.entries.set(key, into(subchart, values, keepsNull));
  }
  return target;
}

/** The globals of a chart go before those of its subchart. */
function globals(target: Dict, source: Dict): void {
  const to = target.entries.has(GLOBAL) ? target.entries.get(GLOBAL) : new Dict();
  const from = source.entries.has(GLOBAL) ? source.entries.get(GLOBAL) : new Dict();
  if (!(to instanceof Dict) || !(from instanceof Dict)) return;
  for (const [key, value] of from.entries) {
    const there = to.entries.get(key);
    if (value instanceof Dict) {
      const own = new Dict(value.entries.entries());
      if (there === undefined) to.entries.set(key, own);
      else if (there instanceof Dict) to.entries.set(key, tables(own, there, true));
    } else if (!(there instanceof Dict)) to.entries.set(key, value);
  }
  target.entries.set(GLOBAL, to);
}

function ownValues(chart: Valued, target: Dict, keepsNull: boolean): void {
  for (const [key, value] of copiedDict(chart.values).entries) {
    const there = target.entries.get(key);
    if (there === undefined) target.entries.set(key, value);
    else if (there === null) {
      if (!keepsNull) target.entries.delete(key);
    } else if (there instanceof Dict && value instanceof Dict) {
      // Values for a subchart keep their nulls, which take away the subchart's own defaults.
      const isSubcharts = chart.subcharts.some(({ name }) => bytesOf(name) === key);
      tables(there, value, keepsNull || isSubcharts);
    }
  }
}

/** Merges a map into one that goes before it. */
export function tables(target: Dict, source: Dict, keepsNull: boolean): Dict {
  for (const [key, value] of source.entries) {
    const there = target.entries.get(key);
    if (there === undefined) target.entries.set(key, value);
    else if (there === null) {
      if (!keepsNull && value !== null) target.entries.delete(key);
    } else if (there instanceof Dict && value instanceof Dict) tables(there, value, keepsNull);
  }
  return target;
}
