import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";

/** One who looks after an operator. */
export const maintainer = z.object({ name: z.string().optional(), email: z.string().optional() });

/** The package of an operator, whatever its version: who made it, and for what. Nothing happens because of it. */
export class Operator extends defineKind({
  group: "kudo.dev",
  version: "v1beta1",
  kind: "Operator",
  scope: "Namespaced",
  description: "An operator: who made it, and for what. Its versions are OperatorVersions.",
  fields: {
    spec: z
      .object({
        description: z.string().describe("What it is for.").optional(),
        kudoVersion: z.string().describe("The version of KUDO that it needs.").optional(),
        kubernetesVersion: z.string().describe("The version of Kubernetes that it needs.").optional(),
        maintainers: z.array(maintainer).describe("Who looks after it.").optional(),
        url: z.string().describe("Where more is said about it.").optional(),
        namespaceManifest: z
          .string()
          .describe("The template of the namespace that is made when it is installed with one of its own.")
          .optional(),
      })
      .optional(),
    // Upstream declares no subresource: whoever writes it writes the object.
    status: z.object({}).describe("Nothing yet.").optional(),
  },
}) {}
