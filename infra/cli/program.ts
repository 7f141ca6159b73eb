import { Command, CommanderError } from "commander";
import { messageOf, ReveilleError } from "../../shared/errors.ts";
import { CliError, exitCodes } from "../../shared/function/command-errors.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { SettingsError } from "../settings/errors.ts";
import { partOf, systemsWith } from "../systems/parts.ts";
import { command } from "./commands/command.ts";
import { config } from "./commands/config.ts";
import { crds } from "./commands/crds.ts";
import { deadLetters } from "./commands/dead-letters.ts";
import { dev } from "./commands/dev.ts";
import { invoke } from "./commands/invoke.ts";
import { kubectl } from "./commands/kubectl.ts";
import { logs } from "./commands/logs.ts";
import { natsUsers } from "./commands/nats-users.ts";
import { rbac } from "./commands/rbac.ts";
import { routes } from "./commands/routes.ts";
import { runCommand } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";
import { status } from "./commands/status.ts";
import { toolsFor } from "./commands/tools.ts";
import { uninstall } from "./commands/uninstall.ts";
import { versionCommand } from "./commands/version.ts";
import { watcher } from "./commands/watcher.ts";
import { webhooks } from "./commands/webhooks.ts";
import { why } from "./commands/why.ts";
import { worker } from "./commands/worker.ts";
import { say } from "./output.ts";

const commands = [
  dev,
  runCommand,
  watcher,
  worker,
  serve,
  config,
  status,
  why,
  logs,
  deadLetters,
  command,
  invoke,
  kubectl,
  crds,
  rbac,
  webhooks,
  natsUsers,
  routes,
  uninstall,
  versionCommand,
];

/** A command and those below it end by an exception, never by ending the process. */
function inherit(command: Command, from: Command): Command {
  command.copyInheritedSettings(from);
  for (const sub of command.commands) inherit(sub, command);
  return command;
}

/**
 * The commands, not yet run. Those of a system are loaded where its name is typed, and all of them for the help of the whole.
 * @param word the first word of the command line that is no flag
 */
export async function program(word?: string): Promise<Command> {
  const root = new Command("reveille")
    .description("Kubernetes operators that sleep until something changes.")
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError("(add --help for what there is)")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 failed (stderr says why), 2 wrong command line, 130 interrupted.\n",
    );
  const own = commands.map((make) => make());
  const systems = systemsWith("commands");
  // Whoever mistypes a word is told of all that there is.
  const isOwn = own.some((command) => command.name() === word);
  // A system's command may be called by the singular of its name.
  const named = systems.filter((one) => one === word || one === `${word}s`);
  const wanted = isOwn ? [] : named.length > 0 ? named : systems;
  for (const command of [...own, ...(await Promise.all(wanted.map(commandsOf)))])
    root.addCommand(inherit(command, root));
  return root;
}

async function commandsOf(system: string): Promise<Command> {
  const commands = await partOf(system, "commands");
  if (commands === undefined) throw new TypeError(`${system} brings no commands`);
  return commands(toolsFor(system));
}

/** Runs one command line; resolves with the exit code. Errors are one sentence on stderr. */
export async function run(words: readonly string[]): Promise<number> {
  try {
    const root = await program(words.find((word) => !word.startsWith("-")));
    await root.parseAsync(words, { from: "user" });
    return typeof process.exitCode === "number" ? process.exitCode : exitCodes.done;
  } catch (thrown) {
    return report(thrown);
  }
}

/** The sentence of an error. Where a server was not reached at all, it does not name the request that found that out. */
function sentenceOf(thrown: unknown): string {
  const message = messageOf(thrown);
  const unreached = thrown instanceof KubeError && ["unavailable", "unauthorized"].includes(thrown.kind);
  return unreached ? message.replace(`${thrown.request}: `, "") : message;
}

function report(thrown: unknown): number {
  if (thrown instanceof CommanderError) {
    // Commander has said it already; help that was asked for is no error.
    if (thrown.exitCode === 0) return exitCodes.done;
    return exitCodes.usage;
  }
  say(`error: ${sentenceOf(thrown)}`);
  // What we did not foresee is a bug: its trace helps whoever looks for it.
  if (!(thrown instanceof ReveilleError) && thrown instanceof Error && process.env.REVEILLE_DEBUG)
    say(thrown.stack ?? "");
  if (thrown instanceof SettingsError && thrown.faults.every(({ place }) => place.startsWith("--")))
    return exitCodes.usage;
  return thrown instanceof CliError ? thrown.exitCode : exitCodes.failed;
}
