import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { keyed } from "../../../shared/kube/schema/words.ts";
import { ANNOTATIONS, GROUP } from "./labels.ts";
import { capabilities, requirements } from "./requirement.ts";
import { state } from "./state.ts";
import { embeddedObject, moduleName, moduleVersion, operatorReference } from "./words.ts";

const link = z.object({ link: z.string().describe("Where it is."), name: z.string().describe("Its name.") });

const moduleTemplateSpec = z.object({
  moduleName: moduleName.describe("The module.").optional(),
  version: moduleVersion.describe("The version that this is.").optional(),
  channel: z
    .string()
    .meta({ maxLength: 32, pattern: "^$|^[a-z]{3,}$" })
    .describe("Not used any more: ModuleReleaseMetas have the channels.")
    .optional(),
  mandatory: z
    .boolean()
    .describe("Not used any more: the ModuleReleaseMeta says whether each cluster gets the module.")
    .optional(),
  data: embeddedObject.describe("The default configuration object.").optional(),
  descriptor: z.looseObject({}).describe("Not read any more: the registry has the component's descriptor."),
  manager: operatorReference
    .describe("The object whose health tells that the module's operator is up.")
    .optional(),
  requiresDowntime: z
    .boolean()
    .describe("True: an upgrade to this version interrupts the service, and waits for a maintenance window.")
    .optional(),
  requires: requirements
    .describe("What the version needs in its cluster: its operator is applied once that is there.")
    .optional(),
  provides: capabilities.describe("The capabilities that others may require, once it is ready.").optional(),
  trustedHandler: z
    .string()
    .meta({ maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" })
    .describe(
      "The handler of the control plane that acts outside of it for the module, by its name in the configuration.",
    )
    .optional(),
  info: z
    .object({
      documentation: z.string().describe("Where the module is explained."),
      icons: keyed(link, "name").describe("Its icons.").optional(),
      repository: z.string().describe("Where its sources are."),
    })
    .describe("What people may want to know of the module.")
    .optional(),
  resources: keyed(link.extend({ link: z.string().meta({ format: "uri" }).describe("Where it is.") }), "name")
    .describe("What else belongs to the version.")
    .optional(),
  associatedResources: z
    .array(z.object({ group: z.string(), kind: z.string(), version: z.string() }))
    .describe("The kinds whose objects users of the module create.")
    .optional(),
  customStateCheck: z
    .array(z.object({ jsonPath: z.string(), mappedState: state, value: z.string() }))
    .describe("Not used any more.")
    .optional(),
});
/** One version of one module. */
export type ModuleTemplateSpec = z.output<typeof moduleTemplateSpec>;

/** One version of one module. Its name is `<module>-<version>`. */
export class ModuleTemplate extends defineKind({
  group: GROUP,
  version: "v1beta2",
  kind: "ModuleTemplate",
  scope: "Namespaced",
  shortNames: ["mt"],
  description:
    "One version of one module. Its name is that of the module and the version: alpha-store-1.4.2.",
  fields: { spec: moduleTemplateSpec.optional() },
  columns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
  facts: (it) => ({
    generation: it.metadata.generation,
    moduleName: it.spec.moduleName,
    version: it.spec.version,
    labels: it.metadata.labels,
    deleting: it.metadata.deletionTimestamp,
    clusterScoped: it.metadata.annotations[ANNOTATIONS.isClusterScoped],
  }),
}) {}
