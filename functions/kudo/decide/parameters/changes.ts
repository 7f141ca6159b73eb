import type { Definition } from "../definition/index.ts";
import { quoted } from "../definition/index.ts";
import { effectiveValue, type Named, parametersOf, type Values, valueIn } from "./effective.ts";

/** The parameters whose value changed from one edit to another, in the order of the version. */
export interface Changes {
  /** Given another value, or one at all. */
  readonly changed: readonly Named[];
  /** No longer given. */
  readonly removed: readonly Named[];
}

/** The values of an Instance before and after, each with the version that it has then. */
export interface Edit {
  readonly before: Values | undefined;
  readonly after: Values | undefined;
  readonly from: Definition;
  readonly to: Definition;
}

const keysOf = (values: Values | undefined): readonly string[] => Object.keys(values ?? {});

/** The changes of an edit; as a text, the reason why there are none to speak of: a key that its version does not define. */
export function changesOf({ before, after, from, to }: Edit): Changes | string {
  const [known, knownBefore] = [parametersOf(to), parametersOf(from)];
  const given = keysOf(after).filter((name) => valueIn(before, name) !== valueIn(after, name));
  const stranger = given.toSorted().find((name) => !known.has(name));
  if (stranger !== undefined) return `failed to find parameter ${quoted(stranger)} in the OperatorVersion`;
  const gone = keysOf(before).filter((name) => valueIn(after, name) === undefined);
  // A value that is written as the default has been changes nothing.
  const matters = (parameter: Named): boolean =>
    effectiveValue(parameter, before) !== effectiveValue(parameter, after);
  const inOrder = (names: readonly string[]): readonly Named[] =>
    [...known.values()].filter((parameter) => names.includes(parameter.name) && matters(parameter));
  return {
    changed: inOrder(given).filter(({ name }) => knownBefore.has(name)),
    removed: inOrder(gone),
  };
}
