import * as z from "zod";
import { atomic, keyed } from "../../../shared/kube/schema/words.ts";
import { CAPABILITIES, CAPABILITY_SETS, GATED_CAPABILITIES } from "./capability.ts";

const desiredUpdate = z
  .object({
    architecture: z
      .enum(["Multi", ""])
      .describe("Multi: move from one architecture to several, at `version`.")
      .optional(),
    version: z.string().describe("The version to move to. Alone, it must be an available update.").optional(),
    image: z.string().describe("The image of the payload to apply.").optional(),
    force: z
      .boolean()
      .describe("Go on although the image is not verified or a precondition speaks against it.")
      .optional(),
    acceptRisks: keyed(z.object({ name: z.string().min(1).max(256).describe("The risk.") }), "name")
      .max(1000)
      .describe("Risks that are taken knowingly, by name.")
      .optional(),
    mode: z
      .enum(["Preflight"])
      .describe("Preflight: check only. Accepted, kept and not supported.")
      .optional(),
  })
  .meta({
    "x-kubernetes-validations": [
      {
        message: "cannot set both Architecture and Image",
        rule: 'has(self.architecture) && has(self.image) ? (self.architecture == "" || self.image == "") : true',
      },
      {
        message: "Version must be set if Architecture is set",
        rule: 'has(self.architecture) && self.architecture != "" ? self.version != "" : true',
      },
      {
        message: "force and mode are mutually exclusive",
        rule: "!(has(self.force) && self.force && has(self.mode))",
      },
    ],
  });

const override = z.object({
  kind: z.string().describe("Kind of the object."),
  group: z.string().describe("Its API group; empty for the core."),
  namespace: z.string().describe("Empty where the kind is cluster scoped."),
  name: z.string().describe("Its name."),
  unmanaged: z.boolean().describe("True: it is left alone, and minor updates are blocked."),
});

const signatureStore = z.object({
  url: z
    .string()
    .meta({
      "x-kubernetes-validations": [{ message: "url must be a valid absolute URL", rule: "isURL(self)" }],
    })
    .describe("Where signatures lie."),
  ca: z
    .object({ name: z.string().describe("A ConfigMap in openshift-config.") })
    .describe("Whom to trust there.")
    .optional(),
});

/** The schema of an administrator's requests. */
export const clusterVersionSpec = z.object({
  clusterID: z.string().describe("The cluster's UUID (RFC 4122, version 4)."),
  desiredUpdate: desiredUpdate.describe("Where to move. Absent: stay.").optional(),
  upstream: z.string().describe("URL of the update graph.").optional(),
  channel: z.string().describe("The channel whose updates are offered.").optional(),
  capabilities: z
    .object({
      baselineCapabilitySet: z
        .enum(CAPABILITY_SETS)
        .describe("The set of optional parts to begin with. Absent: vCurrent.")
        .optional(),
      additionalEnabledCapabilities: atomic(z.enum([...CAPABILITIES, ...GATED_CAPABILITIES]))
        .describe("Optional parts beyond that set.")
        .optional(),
    })
    .describe("Which optional parts the cluster has. What was enabled stays so.")
    .optional(),
  overrides: keyed(override, "kind", "group", "namespace", "name")
    .describe("Objects of the payload that are left alone.")
    .optional(),
  signatureStores: keyed(signatureStore, "url")
    .max(32)
    .describe("Where signatures of releases are looked for. Accepted and kept.")
    .optional(),
});
