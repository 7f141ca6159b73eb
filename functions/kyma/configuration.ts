import * as z from "zod";
import { readMaintenancePolicy } from "./decide/windows/index.ts";
import { registrySettings } from "./ports/components/index.ts";

const maintenancePolicy = z.looseObject({}).superRefine((written, context) => {
  const policy = readMaintenancePolicy(JSON.stringify(written));
  if ("rules" in policy) return;
  for (const { path, message } of policy)
    context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
});

/** The configuration of Kyma. Every part has a default. */
export const configuration = z.object({
  target: z
    .enum(["secret", "local"])
    .describe(
      "Where modules go. secret: into the cluster of the kubeconfig that lies in the Secret with the Kyma's name. local: into this one.",
    )
    .default("secret"),
  registry: registrySettings,
  versions: z
    .boolean()
    .describe("Whether a module of a Kyma may name a version in place of a channel.")
    .default(false),
  restrictedModules: z
    .array(z.string())
    .describe("The modules that only those Kymas may have which their ModuleReleaseMetas select.")
    .default([]),
  deniedGraceMinutes: z
    .int()
    .min(0)
    .describe("A module that a policy denies stays for so many minutes before it is removed.")
    .default(5),
  maintenancePolicy: maintenancePolicy
    .describe(
      "The maintenance policy, as the file policy.json has it: upgrades that interrupt the service wait for its windows. Absent: they wait until spec.skipMaintenanceWindows is set.",
    )
    .optional(),
  minimumWindowMinutes: z
    .int()
    .min(0)
    .describe("An upgrade begins in a maintenance window only if so many minutes of it are left.")
    .default(20),
});
export type Configuration = z.output<typeof configuration>;
