import { matchesLabelSelector } from "../../../../shared/kube/label-selector.ts";
import type { LabelSelector } from "../../../../shared/kube/schema/selectors.ts";

/** True where labels fit a selector. None selects everything. */
export const selects = (
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>>,
): boolean => selector === undefined || matchesLabelSelector(selector, labels);

/** The first operator of a selector that there is not: such a selector selects nothing. */
export const unknownOperator = (selector: LabelSelector | undefined): string | undefined =>
  selector?.matchExpressions
    ?.map(({ operator }) => operator)
    .find((operator) => !["In", "NotIn", "Exists", "DoesNotExist"].includes(operator));

/** The label that a selector compares with no value: nothing is one of none. */
export const emptyTerm = (selector: LabelSelector | undefined): string | undefined =>
  selector?.matchExpressions?.find(
    ({ operator, values }) => ["In", "NotIn"].includes(operator) && (values ?? []).length === 0,
  )?.key;

const keysOf = (selector: LabelSelector): readonly string[] => [
  ...Object.keys(selector.matchLabels ?? {}),
  ...(selector.matchExpressions ?? []).map(({ key }) => key),
];
const valuesOf = (selector: LabelSelector, key: string): readonly string[] => [
  ...Object.entries(selector.matchLabels ?? {}).flatMap(([one, value]) => (one === key ? [value] : [])),
  ...(selector.matchExpressions ?? []).flatMap((term) => (term.key === key ? (term.values ?? []) : [])),
];
/** The part of a selector that is about one label. */
const about = (selector: LabelSelector, key: string): LabelSelector => ({
  matchLabels: Object.fromEntries(Object.entries(selector.matchLabels ?? {}).filter(([one]) => one === key)),
  matchExpressions: (selector.matchExpressions ?? []).filter((term) => term.key === key),
});

/**
 * True where labels could fit both selectors. Each label is free of all others, so it is enough that each has a value that both take:
 * none, one that they name, or one that neither does.
 */
export function mayMeet(one: LabelSelector | undefined, other: LabelSelector | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return [...new Set([...keysOf(one), ...keysOf(other)])].every((key) => {
    const named = [...valuesOf(one, key), ...valuesOf(other, key)];
    // Longer than any that is named, so it is none of them.
    const unnamed = `${named.toSorted((a, b) => b.length - a.length)[0] ?? ""}x`;
    const parts = [about(one, key), about(other, key)];
    return [undefined, ...named, unnamed].some((value) =>
      parts.every((part) => selects(part, value === undefined ? {} : { [key]: value })),
    );
  });
}
