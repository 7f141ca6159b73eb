import { type Duration, milliseconds } from "../../../../shared/function/index.ts";
import { MINIMUM } from "./maintenance.ts";
import { ATTRIBUTES, type MaintenancePolicy, type Rule } from "./policy.ts";
import type { PolicyFault } from "./policy-file.ts";
import { stretchesOf, type Window } from "./window.ts";

/** The doubtful places of a policy that can be read: it holds, but hardly as it was meant. */
export function lint(policy: MaintenancePolicy, minimum: Duration = MINIMUM): readonly PolicyFault[] {
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
      ...rule.windows.flatMap((window, at) => ofWindow(window, `rules.${index}.windows.${at}`, minimum)),
    ]),
    ...(defaultWindow === undefined ? [] : ofWindow(defaultWindow, "default", minimum)),
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
  const keys = patterns.map(({ name, text }) => `${name} ${text}`);
  const hidden = keys.every((key) => before.has(key));
  for (const key of keys) before.add(key);
  return hidden
    ? [...strange, { path, message: "Rules before it have all its patterns, so it is never reached." }]
    : strange;
}

const ofWindow = (window: Window, path: string, minimum: Duration): readonly PolicyFault[] =>
  stretchesOf(window, 0).some(({ begin, end }) => end - begin > milliseconds(minimum))
    ? []
    : [{ path, message: `It is not longer than ${minimum}, so no upgrade ever begins in it.` }];
