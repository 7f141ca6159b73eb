import { userInfo } from "node:os";
import { Command } from "commander";
import type { Invocation } from "../../../shared/host/console/index.ts";
import { CliError, exitCodes, UsageError } from "../exit.ts";
import {
  type ConfigOption,
  type OutputOption,
  type ServerOptions,
  type StateOption,
  withConfig,
  withExamples,
  withOutput,
  withServer,
  withState,
} from "../options.ts";
import { outputFormat, printAs } from "../output.ts";

interface InvokeOptions extends ConfigOption, OutputOption, ServerOptions, StateOption {
  readonly event: string;
  readonly dryRun?: true;
}

/** `reveille invoke`: hands an event to one function and prints what it saw, decided and wrote. */
export const invoke = (): Command =>
  withExamples(
    withOutput(
      withServer(
        withState(
          withConfig(new Command("invoke"))
            .description("hand an event to one function; print what it saw, decided and wrote")
            .argument("<function>", "its name, as `reveille routes` prints it")
            .requiredOption("--event <file>", "a CloudEvent as JSON; - for standard input")
            .option("--dry-run", "write nothing; print what would change"),
        ),
      ),
    ),
    [
      [
        "What would it do now?",
        "reveille invoke sonataflow-platforms --event events/samples/wakes/sonataflow-platforms/own-sonataflowplatform.json --dry-run",
      ],
    ],
  ).action(async (name: string, options: InvokeOptions) => {
    const format = outputFormat(options.output);
    const { serverOf, readText } = await import("../ask/server.ts");
    const event = jsonOf(readText(options.event), options.event);
    const server = serverOf(options);
    const invocation =
      server === undefined
        ? await invokeHere(name, event, options)
        : ((
            await server.post(
              `/functions/${encodeURIComponent(name)}/invoke?dry-run=${options.dryRun === true}`,
              event,
            )
          ).body as Invocation);
    printAs(format ?? "json", invocation, () => "");
    const failed = invocation.runs.some(({ decided }) => ["retry", "dead"].includes(decided?.outcome ?? ""));
    if (failed) process.exitCode = exitCodes.failed;
  });

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new UsageError(`${file} is no JSON: ${thrown.message}.`);
    throw thrown;
  }
}

/** On the cluster and the bus of what runs, or ran, on the data directory. */
async function invokeHere(name: string, event: unknown, options: InvokeOptions): Promise<Invocation> {
  const [
    { openBus },
    { selectionOfRun },
    { settingsOf },
    { openCluster },
    { functionConsole },
    { configuredFunctions },
    { eventTypesOf },
    { functionsOf },
    { isLocked },
    { stateDirectory },
    { systemClock },
  ] = await Promise.all([
    import("../open-bus.ts"),
    import("../ask/run-systems.ts"),
    import("../settings.ts"),
    import("../cluster.ts"),
    import("../../../shared/host/console/index.ts"),
    import("../../../shared/host/configuration.ts"),
    import("../../engine/event-types.ts"),
    import("../install/declared.ts"),
    import("../lock.ts"),
    import("../state-directory.ts"),
    import("../../../shared/clock/clock.ts"),
  ]);
  const dryRun = options.dryRun === true;
  const { bus, run } = openBus(options.data);
  const { client } = openCluster({ kubeconfig: run.kubeconfig, context: run.context });
  try {
    if (!dryRun && !isLocked(stateDirectory(options.data)))
      throw new CliError(
        "CLI_NOT_RUNNING",
        "Nothing runs here now that could run it: start `reveille dev`, or look at what it would do with --dry-run.",
      );
    const { settings, loaded } = await settingsOf({ config: options.config, ...selectionOfRun(run) });
    const { systems } = loaded;
    const console = functionConsole({
      functions: configuredFunctions(systems, settings.configuration),
      client,
      cluster: run.cluster,
      clock: systemClock,
      namespaces: run.namespaces,
      types: () => eventTypesOf(functionsOf(systems)),
      bus,
    });
    const { signal } = new AbortController();
    return await console.invoke(name, event, { dryRun, askedBy: userInfo().username, signal });
  } finally {
    client.close();
    await bus.close();
  }
}
