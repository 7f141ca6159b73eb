import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { keyed } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { ANNOTATIONS, GROUP, LABELS } from "./labels.ts";
import { lastOperation, state, trackedObject } from "./state.ts";
import { channel, customResourcePolicy, moduleVersion } from "./words.ts";

/** The types of a Kyma's conditions. */
export type KymaConditionType =
  /** All modules are Ready or Unmanaged. */
  | "Modules"
  /** All modules that each cluster gets are Ready. */
  | "MandatoryModules"
  /** Nothing is done for it until a label is taken off. */
  | "Suspended"
  | "ModuleCatalog"
  | "CRDsSync"
  | "SKRWebhook"
  /** The Secret with which pods pull their images is in the runtime. */
  | "SKRImagePullSecretSync"
  /** The runtime says that it watches. */
  | "Watch"
  /** The runtime answers to the credentials of its Secret. */
  | "Reachable";

const module = z.object({
  name: z.string().describe("Its name, as the catalog has it."),
  channel: channel.describe("The channel that it follows. Absent: that of the Kyma.").optional(),
  version: moduleVersion
    .describe("The version that it stays at, in place of a channel. Only where the configuration permits it.")
    .optional(),
  customResourcePolicy: customResourcePolicy
    .default("CreateAndDelete")
    .describe("Ignore: its default configuration object is the user's affair."),
  managed: z.boolean().default(true).describe("False: what is installed stays, and is left alone."),
  controller: z.string().describe("Not used any more.").optional(),
  remoteModuleTemplateRef: z.string().describe("Not used any more.").optional(),
});
/** One module that a Kyma's user wants. */
export type KymaModule = z.output<typeof module>;

/** The schema of the modules that a Kyma's user wants. */
export const kymaSpec = z.object({
  channel: channel.describe("The channel of all modules that name none."),
  modules: keyed(module, "name").describe("The modules that are wanted.").optional(),
  skipMaintenanceWindows: z
    .boolean()
    .describe("True: upgrades that interrupt the service wait for no maintenance window.")
    .optional(),
});
/** The modules that a Kyma's user wants in one cluster. */
export type KymaSpec = z.output<typeof kymaSpec>;

const moduleStatus = z.object({
  name: z.string().describe("The module."),
  state: state.describe("How it stands."),
  channel: z.string().describe("The channel that it follows.").optional(),
  version: z.string().describe("The version that is installed.").optional(),
  ocmComponentName: z.string().describe("The component of its releases.").optional(),
  fqdn: z.string().describe("The same, under the name of before.").optional(),
  message: z.string().describe("Why it stands so, for people.").optional(),
  maintenance: z.boolean().default(false).describe("True: an upgrade waits for its maintenance window."),
  manifest: trackedObject.describe("The Manifest that installs it.").optional(),
  template: trackedObject.describe("The ModuleTemplate of its version.").optional(),
  resource: trackedObject.describe("Its default configuration object.").optional(),
});
/** The state of one module. */
export type ModuleStatus = z.output<typeof moduleStatus>;

const kymaStatus = z.object({
  state: state.describe("The worst of its modules and conditions.").optional(),
  activeChannel: z.string().describe("The channel with which it last was Ready or Warning.").optional(),
  modules: z.array(moduleStatus).describe("Its modules, the ones that are being removed too.").optional(),
  lastOperation: lastOperation.optional(),
  conditions: conditionsOf<KymaConditionType>().describe("What all modules need.").optional(),
});
/** The state of a Kyma. */
export type KymaStatus = z.output<typeof kymaStatus>;

/** The modules of one cluster. */
export class Kyma extends defineKind({
  group: GROUP,
  version: "v1beta2",
  kind: "Kyma",
  scope: "Namespaced",
  description: "The modules of one cluster.",
  fields: { spec: kymaSpec.optional() },
  status: kymaStatus,
  columns: [
    { name: "State", type: "string", jsonPath: ".status.state" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  // The conditions are facts, and the state is none: each function says which of them it heeds, and none that looks into a runtime wakes at a
  // step of a module.
  facts: (it) => ({
    generation: it.metadata.generation,
    runtimeId: it.metadata.labels[LABELS.runtimeId],
    labels: it.metadata.labels,
    domain: it.metadata.annotations[ANNOTATIONS.domain],
    paused: it.metadata.annotations["reveille.dev/paused"],
    skipped: it.metadata.labels[LABELS.skipReconciliation],
    definitions: it.status.conditions.of("CRDsSync"),
    catalog: it.status.conditions.of("ModuleCatalog"),
    watcher: it.status.conditions.of("SKRWebhook"),
    pullSecret: it.status.conditions.of("SKRImagePullSecretSync"),
    tells: it.status.conditions.of("Watch"),
    reachable: it.status.conditions.of("Reachable"),
    suspended: it.status.conditions.of("Suspended"),
    deleting: it.metadata.deletionTimestamp,
  }),
  ready: (it) => it.status.state.is("Ready"),
}) {}
