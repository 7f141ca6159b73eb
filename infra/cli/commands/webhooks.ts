import { Command } from "commander";
import type { ConfigOption, OutputOption } from "../../../shared/function/command.ts";
import { type SelectionOptions, withConfig, withExamples, withOutput, withSelection } from "../options.ts";
import { outputFormat, print, yamlStream } from "../output.ts";

interface WebhooksOptions extends OutputOption, SelectionOptions, ConfigOption {
  readonly service: string;
  readonly empty?: boolean;
}

/** `reveille webhooks`: what is registered for the admissions, derived from the declarations. */
export const webhooks = (): Command =>
  withExamples(
    withOutput(
      withConfig(
        withSelection(
          new Command("webhooks")
            .description("print the webhook configurations that are registered for the admissions")
            .option("--service <namespace/name>", "the Service of `serve`", "reveille/reveille-serve")
            .option("--empty", "as they are installed, with the Secret: the leading watcher fills both"),
        ),
      ),
    ),
    [
      ["What would be asked?", "reveille webhooks"],
      ["Install what the watcher fills", "reveille webhooks --empty | kubectl apply --server-side -f -"],
    ],
  ).action(async (options: WebhooksOptions) => {
    const format = outputFormat(options.output);
    const [{ settingsOf }, derived, { UsageError }] = await Promise.all([
      import("../settings.ts"),
      import("../../systems/webhooks.ts"),
      import("../../../shared/function/command-errors.ts"),
    ]);
    const { config, systems, functions } = options;
    const { settings, loaded } = await settingsOf({ config, systems, functions });
    const [namespace = "", name = "", ...more] = options.service.split("/");
    if (namespace === "" || name === "" || more.length > 0)
      throw new UsageError(`--service ${options.service}: name it as NAMESPACE/NAME.`);
    const kept = settings.watcher.webhooks;
    const at = { service: { namespace, name, port: 443, ...kept?.service } };
    const objects = options.empty
      ? [
          ...derived.emptyConfigurations(loaded.systems),
          derived.emptySecret({
            namespace: settings.home.namespace,
            name: kept?.secret ?? derived.WEBHOOKS_SECRET,
          }),
        ]
      : derived.webhookConfigurations(loaded.systems, { at, namespaces: settings.namespaces });
    if (format === "json") print(JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }, null, 2));
    else print(yamlStream(objects));
  });
