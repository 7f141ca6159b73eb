import { Command } from "commander";
import type { ConfigOption, OutputOption } from "../../../shared/function/command.ts";
import { type SelectionOptions, withConfig, withExamples, withOutput, withSelection } from "../options.ts";
import { outputFormat, print, say, yamlStream } from "../output.ts";

interface WebhooksOptions extends OutputOption, SelectionOptions, ConfigOption {
  readonly service: string;
  readonly empty?: boolean;
}

/** `reveille webhooks`: what is registered for admissions and hooks, derived from the declarations. */
export const webhooks = (): Command =>
  withExamples(
    withOutput(
      withConfig(
        withSelection(
          new Command("webhooks")
            .description("print what is registered for admissions and hooks")
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
    const [{ settingsOf }, derived, { extensionConfig }, { UsageError }] = await Promise.all([
      import("../settings.ts"),
      import("../../systems/webhooks.ts"),
      import("../../systems/extension-config.ts"),
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
      : [
          ...derived.webhookConfigurations(loaded.systems, { at, namespaces: settings.namespaces }),
          ...[extensionConfig(loaded.systems, { at, namespaces: settings.namespaces }) ?? []].flat(),
        ];
    for (const { name: hook, path, requestHook } of loaded.systems.flatMap(({ hooks }) => hooks))
      if (requestHook === undefined && options.empty !== true)
        say(
          `hook ${hook}: POST https://${at.service.name}.${at.service.namespace}.svc:${at.service.port}${path}; whoever asks it is told of that by hand.`,
        );
    if (format === "json") print(JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }, null, 2));
    else print(yamlStream(objects));
  });
