import { quoted } from "../../definition/index.ts";
import type { OperatorFile } from "../operator-yaml.ts";
import type { Findings } from "./result.ts";

/** A version as upstream's library reads it: with a `v` in front or without, with parts left out. */
const VERSION =
  /^v?(\d+)(\.\d+)?(\.\d+)?(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** True for a version, parts of which may be left out. */
export const isVersion = (text: string): boolean => VERSION.test(text);

/** The versions of operator.yaml are semantic ones; two of them must be there. */
export function versionFindings(operator: OperatorFile): Findings {
  const judged: readonly (readonly [name: keyof OperatorFile & string, text: string, required: boolean])[] = [
    ["operatorVersion", operator.operatorVersion, true],
    ["appVersion", operator.appVersion, false],
    ["kubernetesVersion", operator.kubernetesVersion, true],
    ["kudoVersion", operator.kudoVersion, false],
  ];
  return {
    errors: judged.flatMap(([name, text, required]) => {
      if (text.trim() === "") return required ? [`${quoted(name)} is required and must be semver`] : [];
      return isVersion(text) ? [] : [`unable to parse ${quoted(name)}: Invalid Semantic Version`];
    }),
  };
}
