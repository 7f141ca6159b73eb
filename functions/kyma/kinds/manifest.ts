import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { LabelSelector } from "../../../shared/kube/schema/selectors.ts";
import { atomic } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { ANNOTATIONS, GROUP, LABELS } from "./labels.ts";
import { lastOperation, state } from "./state.ts";
import { customResourcePolicy, embeddedObject, operatorReference } from "./words.ts";

/** The types of a Manifest's conditions. */
export type ManifestConditionType = "Resources" | "Installation" | "ModuleCR";

const syncedObject = z.object({
  group: z.string().describe("Its API group; empty for the core group."),
  version: z.string().describe("Its API version."),
  kind: z.string().describe("Its kind."),
  name: z.string().describe("Its name."),
  namespace: z.string().describe("Its namespace; empty for one without."),
});
/** An object that a Manifest installed. */
export type SyncedObject = z.output<typeof syncedObject>;

const manifestSpec = z.object({
  remote: z.boolean().describe("Not used any more: the engine's configuration says where modules go."),
  version: z.string().describe("The version of the module.").optional(),
  install: z
    .object({
      name: z.string().describe("The name of the artifact: raw-manifest."),
      source: z.looseObject({}).describe("Where the artifact is: type, repo, name and ref."),
    })
    .describe("The artifact that is installed."),
  config: z
    .object({
      credSecretSelector: LabelSelector.optional(),
      name: z.string().optional(),
      ref: z.string().optional(),
      repo: z.string().optional(),
      type: z.enum(["helm-chart", "oci-ref", "kustomize", ""]).optional(),
    })
    .describe("Not used any more.")
    .optional(),
  customResourcePolicy: customResourcePolicy
    .default("CreateAndDelete")
    .describe("Ignore: the default configuration object is neither created nor deleted."),
  resource: embeddedObject.nullable().describe("The default configuration object.").optional(),
  localizedImages: z
    .array(z.string())
    .describe("The images of the artifact, where they are to be had from.")
    .optional(),
  manager: operatorReference
    .describe("The object whose health tells that the module's operator is up.")
    .optional(),
});
/** One module in one cluster, as it is to be installed. */
export type ManifestSpec = z.output<typeof manifestSpec>;

/** One module in one cluster. */
export class Manifest extends defineKind({
  group: GROUP,
  version: "v1beta2",
  kind: "Manifest",
  scope: "Namespaced",
  description: "One module in one cluster.",
  fields: { spec: manifestSpec.optional() },
  status: z.object({
    state: state.describe("How it stands."),
    lastOperation: lastOperation.optional(),
    conditions: conditionsOf<ManifestConditionType>()
      .describe(
        "Resources: the artifact was read. Installation: its operator is up. ModuleCR: the object was made.",
      )
      .optional(),
    synced: atomic(syncedObject)
      .describe("The objects that it installed. A deletion goes by this.")
      .optional(),
  }),
  columns: [
    { name: "State", type: "string", jsonPath: ".status.state" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  facts: (it) => ({
    generation: it.metadata.generation,
    state: it.status.state,
    version: it.spec.version,
    kymaName: it.metadata.labels[LABELS.kymaName],
    moduleName: it.metadata.labels[LABELS.moduleName],
    mandatory: it.metadata.labels[LABELS.mandatoryModule],
    channel: it.metadata.labels[LABELS.channel],
    component: it.metadata.annotations[ANNOTATIONS.ocmComponentName],
    skipped: it.metadata.labels[LABELS.skipReconciliation],
    unmanaged: it.metadata.annotations[ANNOTATIONS.isUnmanaged],
    deniedSince: it.metadata.annotations[ANNOTATIONS.deniedSince],
    requires: it.metadata.annotations[ANNOTATIONS.requires],
    provides: it.metadata.annotations[ANNOTATIONS.provides],
    operation: it.status.lastOperation.operation,
    deleting: it.metadata.deletionTimestamp,
  }),
  ready: (it) => it.status.state.is("Ready"),
}) {}
