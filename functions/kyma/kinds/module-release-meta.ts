import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { LabelSelector } from "../../../shared/kube/schema/selectors.ts";
import { keyed } from "../../../shared/kube/schema/words.ts";
import { GROUP } from "./labels.ts";
import { channel, moduleName, moduleVersion } from "./words.ts";

const SEMANTIC_VERSION =
  "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$";
const COMPONENT =
  "^[a-z][-a-z0-9]*([.][a-z][-a-z0-9]*)*[.][a-z]{2,}(/[a-z][-a-z0-9_]*([.][a-z][-a-z0-9_]*)*)+$";

/** True for a text that a module's component may be called. */
export const isComponentName = (text: string): boolean =>
  text.length <= 255 && new RegExp(COMPONENT).test(text);

const moduleReleaseMetaSpec = z
  .object({
    moduleName: moduleName.describe("The module."),
    ocmComponentName: z
      .string()
      .meta({ maxLength: 255, pattern: COMPONENT })
      .describe("The component of its releases in the registry: acme.com/mods/alpha-store.")
      .optional(),
    channels: keyed(
      z.object({
        channel: channel.describe("The channel."),
        version: moduleVersion.describe("The version that it is at."),
      }),
      "channel",
    )
      .describe("The version of each channel.")
      .optional(),
    mandatory: z
      .object({
        version: z.string().meta({ minLength: 1, pattern: SEMANTIC_VERSION }).describe("Its version."),
      })
      .describe("Each cluster gets the module, in this version and whatever its user wants.")
      .optional(),
    beta: z.boolean().default(false).describe("Not used any more: ModuleTemplates carry labels."),
    internal: z.boolean().default(false).describe("Not used any more: ModuleTemplates carry labels."),
    kymaSelector: LabelSelector.describe(
      "The Kymas that may have the module, where it is restricted.",
    ).optional(),
  })
  .meta({
    "x-kubernetes-validations": [
      {
        message: "exactly one of 'mandatory' or 'channels' must be specified",
        rule: "(has(self.mandatory) && !has(self.channels)) || (!has(self.mandatory) && has(self.channels))",
      },
    ],
  });
/** The releases of one module. */
export type ModuleReleaseMetaSpec = z.output<typeof moduleReleaseMetaSpec>;

/** The releases of one module, by channel. Its name is the module's. */
export class ModuleReleaseMeta extends defineKind({
  group: GROUP,
  version: "v1beta2",
  kind: "ModuleReleaseMeta",
  scope: "Namespaced",
  shortNames: ["mrm"],
  description: "The releases of one module, by channel. Its name is the module's.",
  fields: { spec: moduleReleaseMetaSpec.optional() },
  columns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
  facts: (it) => ({
    generation: it.metadata.generation,
    moduleName: it.spec.moduleName,
    channels: it.spec.channels,
    mandatory: it.spec.mandatory.version,
    labels: it.metadata.labels,
    deleting: it.metadata.deletionTimestamp,
  }),
}) {}
