import { Command } from "commander";
import type { ConfigOption, OutputOption, StateOption } from "../../../shared/function/command.ts";
import { exitCodes, UsageError } from "../../../shared/function/command-errors.ts";
import type { Invocation } from "../../../shared/host/console/index.ts";
import {
  type ServerOptions,
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
      ["What would it do now?", "reveille invoke widget --event event.json --dry-run"],
      [
        "And where watcher and workers run, by their settings and the rights of your kubeconfig?",
        "reveille invoke widget --config reveille.yaml --event event.json --dry-run",
      ],
    ],
  ).action(async (name: string, options: InvokeOptions) => {
    const format = outputFormat(options.output);
    const [{ serverOf, readText }, { invokeHere }] = await Promise.all([
      import("../ask/server.ts"),
      import("../ask/invoke.ts"),
    ]);
    const event = eventIn(readText(options.event), options.event);
    const server = serverOf(options);
    const invocation =
      server === undefined
        ? await invokeHere({ name, event, dryRun: options.dryRun === true }, options)
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

function eventIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new UsageError(`${file} is no JSON: ${thrown.message}.`);
    throw thrown;
  }
}
