import { Command } from "commander";
import { type SelectionOptions, withExamples, withSelection } from "../options.ts";
import { print } from "../output.ts";

interface NatsUsersOptions extends SelectionOptions {
  readonly prefix: string;
}

/** `reveille nats-users`: the least rights on NATS, derived from the declarations. */
export const natsUsers = (): Command =>
  withExamples(
    withSelection(
      new Command("nats-users")
        .description(
          "print the users of a nats-server: watcher, each function, operator, with their permissions",
        )
        .option("--prefix <name>", "as the setting bus.nats.prefix", "reveille"),
    ),
    [["For the server's configuration", "reveille nats-users > users.conf"]],
  ).action(async (options: NatsUsersOptions) => {
    const [{ loadSystems }, { functionsOf }, { COMMANDS }, permissions] = await Promise.all([
      import("../systems.ts"),
      import("../install/declared.ts"),
      import("../../../shared/function/commands.ts"),
      import("../../../shared/bus/nats/permissions.ts"),
    ]);
    const functions = functionsOf((await loadSystems(options)).systems);
    const { prefix } = options;
    print(
      permissions.natsUsers(permissions.natsPermissions(functions, { prefix, commands: COMMANDS })).trimEnd(),
    );
  });
