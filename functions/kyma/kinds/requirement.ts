import * as z from "zod";
import { atomic, setOf } from "../../../shared/kube/schema/words.ts";
import { moduleName } from "./words.ts";

/** Far more than a module can need: the server counts what a rule about each item may cost. */
const BOUNDED = { maxItems: 32 };
const capability = z.string().meta({ minLength: 1, maxLength: 64 });

const requirement = z
  .object({
    crd: z
      .object({
        group: z.string().meta({ minLength: 1, maxLength: 253 }).describe("Its API group."),
        kind: z.string().meta({ minLength: 1, maxLength: 63 }).describe("Its kind."),
        version: z
          .string()
          .meta({ minLength: 1, maxLength: 63 })
          .describe("The version that is to be served."),
      })
      .describe("A kind that the cluster is to know, whoever brings it.")
      .optional(),
    module: moduleName.describe("A module that is to be ready.").optional(),
    range: z
      .string()
      .meta({ maxLength: 128 })
      .describe("The versions of that module that will do, as >=1.2.0 <2.0.0. Absent: any.")
      .optional(),
    capability: capability.describe("What one of the modules that provide it is to be ready for.").optional(),
    optional: z
      .boolean()
      .describe("True: the module is installed without it, and says that it is missing.")
      .optional(),
  })
  .meta({
    "x-kubernetes-validations": [
      {
        rule: "(has(self.crd) ? 1 : 0) + (has(self.module) ? 1 : 0) + (has(self.capability) ? 1 : 0) == 1",
        message: "name exactly one of crd, module and capability",
      },
      { rule: "!has(self.range) || has(self.module)", message: "range is about a module: name it" },
    ],
  });
/** One thing that a version of a module needs in its cluster. */
export type Requirement = z.output<typeof requirement>;

/** The schema of what a version of a module needs. */
export const requirements = atomic(requirement).meta(BOUNDED);

/** The schema of the capabilities that a version of a module provides. */
export const capabilities = setOf(capability).meta(BOUNDED);

const writtenRequirements = z.array(
  requirement.extend({
    /** The Manifests of the modules that provide it; of a kind: none. */
    of: z.array(z.string()).optional(),
  }),
);
/** A requirement, and the Manifests of the Kyma's modules that provide it. */
export type WrittenRequirement = z.output<typeof writtenRequirements>[number];
/** The requirements that an annotation keeps; undefined where it keeps none that can be read. */
export function requirementsIn(kept: unknown): readonly WrittenRequirement[] | undefined {
  const parsed = writtenRequirements.safeParse(kept);
  return parsed.success ? parsed.data : undefined;
}
