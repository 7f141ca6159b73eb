import { type Duration, milliseconds, type Time } from "../../../../shared/function/index.ts";
import { MINIMUM } from "./maintenance.ts";
import { ATTRIBUTES, type MaintenancePolicy, type Rule } from "./policy.ts";
import type { PolicyFault } from "./policy-file.ts";
import { stretchesOf, type Window } from "./window.ts";

/** The doubtful places of a policy that can be read: it holds, but hardly as it was meant. */
export function lint(
  policy: MaintenancePolicy,
  now: Time,
  minimum: Duration = MINIMUM,
): readonly PolicyFault[] {
  const { rules, defaultWindow } = policy;
  const before = new Set<string>();
  return [
    ...rules.flatMap((rule, index) => [
      ...ofRule(rule, before, `rules.${index}`),
      ...(rule.windows.length > 0 || defaultWindow !== undefined
        ? []
        : [
            {
              path: `rules.${index}.windows`,
              message: "It has none, and there is no default: no upgrade ever begins.",
            },
          ]),
      ...rule.windows.flatMap((window, at) => ofWindow(window, `rules.${index}.windows.${at}`, now, minimum)),
    ]),
    ...(defaultWindow === undefined ? [] : ofWindow(defaultWindow, "default", now, minimum)),
  ];
}

/** The findings about the patterns of a rule. `before`: those of the rules before it, which it adds its own to. */
function ofRule(rule: Rule, before: Set<string>, path: string): readonly PolicyFault[] {
  const patterns = ATTRIBUTES.flatMap((name) => {
    const pattern = rule.match[name];
    return pattern === undefined ? [] : [{ name, text: pattern.text }];
  });
  if (patterns.length === 0)
    return [{ path: `${path}.match`, message: "It names no pattern, so it concerns no runtime." }];
  const strange = patterns.flatMap(({ name, text }) => {
    const [letter] = [...text].filter((one) => (one.codePointAt(0) ?? 0) > 126);
    return letter === undefined
      ? []
      : [
          {
            path: `${path}.match.${name}`,
            message: `It holds ${letter} (U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}), which no label can: nothing is found by that part.`,
          },
        ];
  });
  const empty = patterns
    .filter(({ text }) => text === "^$")
    .map(({ name, text }) => ({
      path: `${path}.match.${name}`,
      message: `${text} finds nothing: a runtime without the label is met by no pattern of it.`,
    }));
  const keys = patterns.map(({ name, text }) => [`${name} ${text}`, `${name} ${ANYTHING}`] as const);
  const hidden = keys.every((known) => known.some((key) => before.has(key)));
  for (const { name, text } of patterns) before.add(`${name} ${FINDS_ANYTHING.has(text) ? ANYTHING : text}`);
  return [
    ...strange,
    ...empty,
    ...(hidden ? [{ path, message: "Rules before it have all its patterns, so it is never reached." }] : []),
  ];
}

const ANYTHING = ".*";
/** Patterns that are found in every value. */
const FINDS_ANYTHING: ReadonlySet<string> = new Set([
  "",
  ".",
  ".*",
  ".+",
  "^",
  "$",
  "^.*",
  ".*$",
  "^.*$",
  "^.+$",
]);

function ofWindow(window: Window, path: string, now: Time, minimum: Duration): readonly PolicyFault[] {
  const stretches = stretchesOf(window, Date.parse(now));
  if (!stretches.some(({ begin, end }) => end - begin > milliseconds(minimum)))
    return [{ path, message: `It is not longer than ${minimum}, so no upgrade ever begins in it.` }];
  return stretches.every(({ end }) => end <= Date.parse(now))
    ? [{ path, message: "It is over, so no upgrade begins in it any more." }]
    : [];
}
