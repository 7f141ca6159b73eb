import { Command } from "commander";
import type { ConfigOption, OutputOption } from "../../../shared/function/command.ts";
import { UsageError } from "../../../shared/function/command-errors.ts";
import { type SelectionOptions, withConfig, withExamples, withOutput, withSelection } from "../options.ts";
import { outputFormat, print, say, yamlStream } from "../output.ts";

interface RbacOptions extends OutputOption, SelectionOptions, ConfigOption {
  readonly function?: string;
  readonly namespace?: string;
}

/** `reveille rbac`: the least rights, derived from the declarations. */
export const rbac = (): Command =>
  withExamples(
    withOutput(
      withConfig(
        withSelection(
          new Command("rbac")
            .description(
              "print the ServiceAccounts, roles and bindings that the functions and the watcher need",
            )
            .option("--function <name>", "of this function alone; `watcher` for the watcher")
            .option("-n, --namespace <name>", "Roles for this namespace instead of ClusterRoles"),
        ),
      ),
    ),
    [
      ["Apply them all", "reveille rbac | kubectl apply --server-side -f -"],
      ["What may one function do?", "reveille rbac --function widget"],
      ["For one team only", "reveille rbac -n team-a"],
    ],
  ).action(async (options: RbacOptions) => {
    const format = outputFormat(options.output);
    const [{ settingsOf }, { admittedTo }, { functionsOf }, grants] = await Promise.all([
      import("../settings.ts"),
      import("../../../shared/host/configuration.ts"),
      import("../../systems/declared.ts"),
      import("../../systems/rbac.ts"),
    ]);
    const { config, systems: named, functions: modules } = options;
    const { settings, loaded } = await settingsOf({ config, systems: named, functions: modules });
    const admitted = admittedTo(loaded.systems, settings.configuration);
    const functions = functionsOf(loaded.systems);
    const { function: only, namespace } = options;
    const chosen = functions.filter(({ name }) => only === undefined || name === only);
    if (only !== undefined && only !== "watcher" && chosen.length === 0)
      throw new UsageError(
        `--function ${only}: there is no such function; choose from ${[...functions.map(({ name }) => name), "watcher"].join(", ")}.`,
      );
    if (namespace !== undefined)
      for (const one of chosen) {
        const kinds = grants.clusterKindsOf(one);
        if (kinds.length > 0)
          say(`warning: ${one.name} needs a ClusterRole all the same: ${kinds.join(", ")} has no namespace.`);
      }
    const objects = grants.rbacObjects([
      ...(only === undefined || only === "watcher"
        ? grants.watcherGrants(functions, namespace, admitted)
        : []),
      ...[
        ...grants.admissionGrants(loaded.systems, namespace),
        ...grants.beatGrants(loaded.systems, namespace),
      ].filter(({ account }) => only === undefined || account === `reveille-${only}`),
      ...chosen.flatMap((one) => grants.functionGrants(one, namespace, admitted(one))),
    ]);
    if (format === "json") print(JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }, null, 2));
    else print(yamlStream(objects));
  });
