import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { LabelSelector } from "../../../shared/kube/schema/selectors.ts";
import { int32, int64, keyed, setOf } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { channel, customResourcePolicy, moduleVersion } from "./words.ts";

const module = z.string().min(1);
/** Far more than there are modules or channels: the server counts what a rule about each item may cost. */
const BOUNDED = { maxItems: 256 };
const channelOrVersion = {
  "x-kubernetes-validations": [
    { rule: "!(has(self.channel) && has(self.version))", message: "name a channel or a version, not both" },
  ],
};

/** A version that a policy names: unlike a user it has no reason to leave the field empty. */
const enforcedVersion = moduleVersion.meta({ ...moduleVersion.meta(), minLength: 1 });

const enforcedModule = z
  .object({
    module: module.describe("The module."),
    channel: channel
      .describe("The channel that it follows. Absent with version: the user decides.")
      .optional(),
    version: enforcedVersion.describe("The version that it stays at.").optional(),
    customResourcePolicy: customResourcePolicy
      .describe("What becomes of its default configuration object. Absent: the user decides.")
      .optional(),
    managed: z.boolean().describe("Whether it is looked after. Absent: the user decides.").optional(),
    allowDowngrade: z
      .boolean()
      .describe("True: it may go back to an older version, which nobody else can ask for.")
      .optional(),
  })
  .meta(channelOrVersion);
/** A module that Kymas have whatever their users want, with the fields that their users cannot choose. */
export type EnforcedModule = z.output<typeof enforcedModule>;

const defaultModule = z
  .object({
    module: module.describe("The module."),
    channel: channel.describe("The channel that it follows. Absent: that of the Kyma.").optional(),
    version: enforcedVersion.describe("The version that it stays at.").optional(),
    customResourcePolicy: customResourcePolicy.default("CreateAndDelete").describe("As in a Kyma."),
  })
  .meta(channelOrVersion);

const kymaPolicySpec = z.object({
  selector: LabelSelector.describe("The Kymas of its namespace that it is for. Absent: all.").optional(),
  rank: int32
    .default(0)
    .describe("Of two policies that enforce one module, the one of the higher rank counts."),
  enforce: keyed(enforcedModule, "module")
    .meta(BOUNDED)
    .describe("Modules that they have whatever their users want.")
    .optional(),
  deny: setOf(module).meta(BOUNDED).describe("Modules that they may not have.").optional(),
  allowChannels: setOf(channel)
    .meta(BOUNDED)
    .describe("The channels that users may choose. Absent: any.")
    .optional(),
  maxModules: int32
    .min(0)
    .describe("How many modules users may list. What was accepted before stays.")
    .optional(),
  defaults: keyed(defaultModule, "module")
    .meta(BOUNDED)
    .describe("Modules that they begin with, until their users say which they want.")
    .optional(),
});
/** The rules that go before what users of Kymas want. */
export type KymaPolicySpec = z.output<typeof kymaPolicySpec>;

/** Rules of the control plane that go before what users of Kymas want. */
export class KymaPolicy extends defineKind({
  group: "reveille.dev",
  version: "v1alpha1",
  kind: "KymaPolicy",
  plural: "kymapolicies",
  scope: "Namespaced",
  description: "Rules of the control plane that go before what users of Kymas want.",
  fields: { spec: kymaPolicySpec },
  status: z.object({
    observedGeneration: int64.describe("The generation that this is about.").optional(),
    accepted: kymaPolicySpec
      .describe("The rules that hold: those of the spec, or the last ones that contradicted no other policy.")
      .optional(),
    conditions: conditionsOf<"Accepted">().describe("Accepted: the rules of the spec hold.").optional(),
  }),
  columns: [
    { name: "Rank", type: "integer", jsonPath: ".spec.rank" },
    { name: "Accepted", type: "string", jsonPath: ".status.conditions[?(@.type=='Accepted')].status" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  facts: (it) => ({ generation: it.metadata.generation, accepted: it.status.accepted }),
  ready: (it) => it.status.conditions.of("Accepted").status.is("True"),
}) {}
