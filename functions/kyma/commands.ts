import { Option } from "commander";
import type { SystemCommands } from "../../shared/function/command.ts";
import { type RuntimeWatcherFlags, runtimeWatcher } from "./commands/runtime-watcher.ts";

/** `reveille kyma`: what runs in a runtime. */
export const commands: SystemCommands = (tools) => {
  const command = tools.command("kyma", "modules of clusters");
  const from = (flags: string, description: string, variable: string): Option =>
    new Option(flags, description).env(variable);
  const needed = (flags: string, description: string, variable: string): Option =>
    from(flags, description, variable).makeOptionMandatory();
  command.addCommand(
    tools
      .command(
        "runtime-watcher",
        "tell the control plane what changes in a runtime: the webhook that runs there",
      )
      .addOption(needed("--control-plane <host>", "the control plane: a host, with :port", "KCP_ADDR"))
      .addOption(needed("--certificate <file>", "the certificate that is shown to both sides", "TLS_CERT"))
      .addOption(needed("--key <file>", "its key", "TLS_KEY"))
      .addOption(needed("--authorities <file>", "the authorities of the control plane", "CA_CERT"))
      .addOption(needed("--manager <name>", "whom it tells that it is alive", "BEAT_MANAGER"))
      .addOption(from("--beat <seconds>", "between two signs of life", "BEAT_SECONDS").default("60"))
      .addOption(from("--queue <folder>", "what is still to be told", "QUEUE_FOLDER").default("/app/queue"))
      .addOption(from("--port <number>", "of the webhook", "WEBHOOK_PORT").default("8443"))
      .addOption(from("--metrics-port <number>", "of /metrics", "METRICS_PORT").default("2112"))
      .action((flags: RuntimeWatcherFlags) => runtimeWatcher(flags)),
  );
  return tools.withExamplesBelow(command, {
    "runtime-watcher": [
      [
        "As the Deployment skr-webhook starts it",
        "KCP_ADDR=events.example.org TLS_CERT=tls.crt TLS_KEY=tls.key CA_CERT=ca.crt BEAT_MANAGER=lifecycle-manager reveille kyma runtime-watcher",
      ],
    ],
  });
};
