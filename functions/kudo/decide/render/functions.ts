import type { Functions } from "../../../../shared/templates/index.ts";
import { sprig, unstable } from "../../../../shared/templates/sprig.ts";
import { toYamlV2 } from "../../../../shared/templates/yaml.ts";

const ELSEWHERE = "packages do not have it: it reads what lies outside the template";

/** The functions that a package's templates may call beside Go's own (section 4). */
export const FUNCTIONS: Functions = {
  ...sprig,
  ...unstable,
  toYaml: toYamlV2,
  ...Object.fromEntries(
    ["env", "expandenv", "base", "dir", "clean", "ext", "isAbs"].map((name) => [
      name,
      { refused: ELSEWHERE },
    ]),
  ),
};
