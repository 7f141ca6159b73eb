import { stringify } from "yaml";
import type { System } from "../../../shared/function/system.ts";
import { eksAccess, tokenAccess } from "./access.ts";
import { alarms } from "./alarms.ts";
import { conditions, VpcConfig } from "./choices.ts";
import { clusterRights } from "./cluster-rights.ts";
import { busSettings, environment, functions, watcherSettings } from "./functions.ts";
import { lambdaId } from "./names.ts";
import { queues } from "./queues.ts";
import { roles } from "./roles.ts";
import { state } from "./state.ts";
import { sweeps } from "./sweeps.ts";
import { unitsOf } from "./units.ts";

const HEAD = "# Written by `npm run generate` from the declarations of the functions: change those.\n";
const yaml = (content: object): string =>
  HEAD + stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });

/** The settings of everything that joins from outside: the watcher, and people with the command line. */
const Outputs = Object.fromEntries(
  Object.entries({ ...busSettings, ...watcherSettings }).map(([name, Value]) => [
    name
      .toLowerCase()
      .replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
      .replace(/^Reveille/, ""),
    { Description: name, Value },
  ]),
);

/** The files that serverless.yml includes, by their path below this folder. Deterministic. Throws an `AwsNameError`. */
export function generatedAwsFiles(systems: readonly System[]): ReadonlyMap<string, string> {
  const units = unitsOf(systems);
  return new Map([
    ["generated/environment.yml", yaml(environment)],
    ["generated/functions.yml", yaml(functions(units))],
    [
      "generated/resources.yml",
      yaml({
        Conditions: conditions,
        Resources: {
          ...queues(units),
          ...state,
          ...roles(units),
          ...sweeps(units),
          ...alarms(units),
        },
        Outputs,
        // osls writes the Lambdas itself; this is added to what it wrote.
        extensions: Object.fromEntries(
          units.map(({ name }) => [lambdaId(name), { Properties: { VpcConfig } }]),
        ),
      }),
    ],
    ["generated/access-eks.yml", yaml(eksAccess(units))],
    ["generated/access-token.yml", yaml(tokenAccess(units, "token"))],
    ["generated/access-secret.yml", yaml(tokenAccess(units, "secret"))],
    [
      "generated/cluster-rights.yaml",
      HEAD +
        clusterRights(systems)
          .map((object) => `---\n${stringify(object, { lineWidth: 0 })}`)
          .join(""),
    ],
  ]);
}
