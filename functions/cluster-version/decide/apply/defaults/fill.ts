import { type Fields, isRecord } from "../../../../../shared/json/fields.ts";

type Filler = (value: unknown) => unknown;

/** Standard values for the fields that are absent. */
export const filled =
  (standard: Fields, deeper: Readonly<Record<string, Filler>> = {}): Filler =>
  (value) => {
    if (!isRecord(value)) return value;
    const full: Record<string, unknown> = { ...standard, ...value };
    for (const [name, fill] of Object.entries(deeper)) {
      const child = fill(full[name]);
      if (child !== undefined) full[name] = child;
    }
    return full;
  };

/** Each item of a list; what is no list stays. */
export const each =
  (fill: Filler): Filler =>
  (value) =>
    Array.isArray(value) ? value.map(fill) : value;

/** One after the other. */
export const chain =
  (...fillers: readonly Filler[]): Filler =>
  (value) =>
    fillers.reduce((filledSoFar, fill) => fill(filledSoFar), value);
