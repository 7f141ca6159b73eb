import { Command } from "commander";
import type { ConfigOption, OutputOption } from "../../../shared/function/command.ts";
import { type SelectionOptions, withConfig, withExamples, withOutput, withSelection } from "../options.ts";
import { outputFormat, print, yamlStream } from "../output.ts";

/** `reveille crds`: the CustomResourceDefinitions of the selected systems. */
export const crds = (): Command =>
  withExamples(
    withOutput(
      withConfig(
        withSelection(new Command("crds").description("print the CustomResourceDefinitions of the kinds")),
      ),
    ),
    [
      ["Install them by hand", "reveille crds | kubectl apply --server-side -f -"],
      ["Of what watcher and workers load", "reveille crds --config reveille.yaml"],
      ["Of your own functions only", "reveille crds --systems none --functions ./mine.ts"],
    ],
  ).action(async (options: OutputOption & SelectionOptions & ConfigOption) => {
    const format = outputFormat(options.output);
    const [{ settingsOf }, { functionsOf, ownKindsOf }, { crdOf }] = await Promise.all([
      import("../settings.ts"),
      import("../../systems/declared.ts"),
      import("../../../shared/kube/crd.ts"),
    ]);
    const { config, systems, functions } = options;
    const { loaded } = await settingsOf({ config, systems, functions });
    const bodies = ownKindsOf(functionsOf(loaded.systems)).map(crdOf);
    if (format === "json") print(JSON.stringify({ apiVersion: "v1", kind: "List", items: bodies }, null, 2));
    else print(yamlStream(bodies));
  });
