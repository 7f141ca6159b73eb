import fc from "fast-check";
import { isRecord } from "../../../../shared/json/fields.ts";

/** One change somewhere in a JSON value; `steps` choose the way down. */
export interface Change {
  readonly steps: readonly number[];
  readonly value: unknown;
}
export const change: fc.Arbitrary<Change> = fc.record({
  steps: fc.array(fc.nat(50), { minLength: 1, maxLength: 12 }),
  value: fc.constantFrom<unknown>(undefined, null, "", 0, 7, true, false, "x", [], {}, ["x"], { name: "x" }, [
    { name: "x" },
  ]),
});

/** The value with the change made: set, added, or, where it is undefined, taken away. */
export function changed(value: unknown, { steps, value: set }: Change): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return set;
  if (Array.isArray(value)) {
    const at = step % (value.length + 1);
    if (at === value.length) return [...value, set];
    return value.flatMap((item: unknown, index) => {
      if (index !== at) return [item];
      const next = changed(item, { steps: rest, value: set });
      return next === undefined ? [] : [next];
    });
  }
  if (!isRecord(value)) return set;
  const names = [...Object.keys(value), "other"];
  const name = names[step % names.length] ?? "other";
  return { ...value, [name]: changed(value[name], { steps: rest, value: set }) };
}
