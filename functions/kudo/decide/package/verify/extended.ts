import { quoted } from "../../definition/index.ts";
import type { PackageFiles } from "../files.ts";
import type { Findings } from "./result.ts";

/** The checks that are made only where they are asked for: how a package looks in a form. */
export const PARAMETER_CHECKS = ["display", "hint", "desc", "type", "hasgroup", "groups", "all"] as const;
export type ParameterCheck = (typeof PARAMETER_CHECKS)[number];

/** True where the first letter, if it is one, is a capital. */
const startsUpper = (text: string): boolean => !/^\p{L}/u.test(text) || /^\p{Lu}/u.test(text);

function displayNameFault(text = ""): string | undefined {
  if (text === "") return "has no displayName";
  if (text.endsWith(":")) return "has a displayName ending with ':'";
  return startsUpper(text) ? undefined : "has a displayName that does not start with a capital letter";
}
function descriptionFault(text = ""): string | undefined {
  if (text === "") return "has no description";
  if (!".!?)".includes(text.at(-1) ?? "")) return "has a description not ending with one of '.!?)'";
  return startsUpper(text) ? undefined : "has a description that does not start with a capital letter";
}
function hintFault(text = ""): string | undefined {
  if (text === "") return "has no hint";
  return text.endsWith(".") ? undefined : "has a hint not ending with a '.'";
}

/** The findings of the checks that were asked for: warnings all. */
export function extendedFindings({ params }: PackageFiles, checks: ReadonlySet<ParameterCheck>): Findings {
  const wanted = (check: ParameterCheck): boolean => checks.has(check) || checks.has("all");
  const parameters = (
    check: ParameterCheck,
    fault: (one: (typeof params.parameters)[number]) => string | undefined,
  ) =>
    wanted(check)
      ? params.parameters.flatMap((one) => {
          const reason = fault(one);
          return reason === undefined ? [] : [`parameter ${quoted(one.name)} ${reason}`];
        })
      : [];
  return {
    warnings: [
      ...parameters("desc", ({ description }) => descriptionFault(description)),
      ...parameters("hint", ({ hint }) => hintFault(hint)),
      ...parameters("display", ({ displayName }) => displayNameFault(displayName)),
      ...parameters("hasgroup", ({ group = "" }) => (group === "" ? "has no group" : undefined)),
      ...parameters("type", ({ type }) => (type === undefined ? "has no explicit type assigned" : undefined)),
      ...(wanted("groups")
        ? params.groups.flatMap(({ name, displayName, description }) =>
            [displayNameFault(displayName), descriptionFault(description)].flatMap((reason) =>
              reason === undefined ? [] : [`parameter group ${quoted(name)} ${reason}`],
            ),
          )
        : []),
    ],
  };
}
