import { isSame } from "../../../../shared/json/differences.ts";
import { fieldsOf, isRecord, listOf } from "../../../../shared/json/fields.ts";
import { covers } from "./stored.ts";

/**
 * A rule gives the value of a field from the manifest's and the present one; undefined: absent. Both sides have their defaults
 * filled in, so that only fields that somebody changed differ.
 */
export type Rule = (wanted: unknown, there: unknown) => unknown;

/** The manifest's, absence included. */
export const exact: Rule = (wanted) => wanted;
/** Another's: what is there. */
export const theirs: Rule = (_wanted, there) => there;

/** The manifest's where it says something and that is not there; else what is there. */
export const ifSaid: Rule = (wanted, there) =>
  wanted === undefined || wanted === null || covers(there, wanted) ? there : wanted;

/** Keys of the manifest's win, the others stay. */
export const added: Rule = (wanted, there) =>
  wanted === undefined ? there : { ...fieldsOf(there), ...fieldsOf(wanted) };

/** Adds like `added`, in the maps within too. */
export const overlaid: Rule = (wanted, there) => {
  if (!isRecord(wanted) || !isRecord(there)) return ifSaid(wanted, there);
  const names = Object.keys({ ...there, ...wanted });
  return Object.fromEntries(names.map((name) => [name, overlaid(wanted[name], there[name])]));
};

/** The present list, and behind it the manifest's items that it lacks. */
export const withMissing: Rule = (wanted, there) => {
  const missing = listOf(wanted).filter((item) => !listOf(there).some((other) => isSame(item, other)));
  return missing.length === 0 ? there : [...listOf(there), ...missing];
};

/** A rule for each field, one for all the others. */
export const fields =
  (rules: Readonly<Record<string, Rule>>, others: Rule = ifSaid): Rule =>
  (wanted, there) => {
    if (!isRecord(wanted)) return wanted ?? there;
    const old = fieldsOf(there);
    const shall: Record<string, unknown> = {};
    for (const name of new Set([...Object.keys(old), ...Object.keys(wanted)])) {
      const value = (rules[name] ?? others)(wanted[name], old[name]);
      if (value !== undefined) shall[name] = value;
    }
    return shall;
  };

/** The items of a list that a key names, each by its own rule. What the manifest does not list goes; its order counts. */
export const items =
  (key: (item: unknown) => unknown, rule: Rule): Rule =>
  (wanted, there) =>
    Array.isArray(wanted)
      ? wanted.map((item: unknown) =>
          rule(
            item,
            listOf(there).find((other) => isSame(key(other), key(item))),
          ),
        )
      : undefined;

/** Merges like `items`; items that the manifest does not list stay in their place, new ones follow. */
export const itemsAdded =
  (key: (item: unknown) => unknown, rule: Rule): Rule =>
  (wanted, there) => {
    const named = (list: unknown, item: unknown): unknown =>
      listOf(list).find((other) => isSame(key(other), key(item)));
    const kept = listOf(there).map((item) => {
      const mine = named(wanted, item);
      return mine === undefined ? item : rule(mine, item);
    });
    const fresh = listOf(wanted).filter((item) => named(there, item) === undefined);
    return kept.length + fresh.length === 0 ? there : [...kept, ...fresh];
  };
