import { Command } from "commander";
import {
  type OutputOption,
  type SelectionOptions,
  withExamples,
  withOutput,
  withSelection,
} from "../options.ts";
import { outputFormat, print, yamlStream } from "../output.ts";

/** `reveille crds`: the CustomResourceDefinitions of the selected systems. */
export const crds = (): Command =>
  withExamples(
    withOutput(
      withSelection(new Command("crds").description("print the CustomResourceDefinitions of the kinds")),
    ),
    [
      ["Install them by hand", "reveille crds | kubectl apply --server-side -f -"],
      ["Of your own functions only", "reveille crds --systems none --functions ./mine.ts"],
    ],
  ).action(async (options: OutputOption & SelectionOptions) => {
    const format = outputFormat(options.output);
    const [{ loadSystems }, { functionsOf, ownKindsOf }, { crdOf }] = await Promise.all([
      import("../systems.ts"),
      import("../install/declared.ts"),
      import("../../../shared/kube/crd.ts"),
    ]);
    const { systems } = await loadSystems(options);
    const bodies = ownKindsOf(functionsOf(systems)).map(crdOf);
    if (format === "json") print(JSON.stringify({ apiVersion: "v1", kind: "List", items: bodies }, null, 2));
    else print(yamlStream(bodies));
  });
