import { Command } from "commander";
import type { ConfigOption } from "../../../shared/function/command.ts";
import { type SelectionOptions, withConfig, withExamples, withSelection } from "../options.ts";
import { print } from "../output.ts";

interface NatsUsersOptions extends SelectionOptions, ConfigOption {
  readonly prefix?: string;
}

/** `reveille nats-users`: the least rights on NATS, derived from the declarations. */
export const natsUsers = (): Command =>
  withExamples(
    withConfig(
      withSelection(
        new Command("nats-users")
          .description(
            "print the users of a nats-server: watcher, each function, operator, with their permissions",
          )
          .option("--prefix <name>", "instead of the setting bus.nats.prefix"),
      ),
    ),
    [
      ["For the server's configuration", "reveille nats-users > users.conf"],
      [
        "Of the functions and the prefix of an installation",
        "reveille nats-users --config reveille.yaml > users.conf",
      ],
    ],
  ).action(async (options: NatsUsersOptions) => {
    const [{ settingsOf }, { functionsOf }, { COMMANDS }, permissions] = await Promise.all([
      import("../settings.ts"),
      import("../../systems/declared.ts"),
      import("../../../shared/function/commands.ts"),
      import("../../../shared/bus/nats/permissions.ts"),
    ]);
    const { config, systems: named, functions: modules, prefix } = options;
    const { settings, loaded } = await settingsOf({ config, systems: named, functions: modules, prefix });
    const functions = functionsOf(loaded.systems);
    const names = { prefix: settings.bus.nats?.prefix, commands: COMMANDS };
    print(permissions.natsUsers(permissions.natsPermissions(functions, names)).trimEnd());
  });
