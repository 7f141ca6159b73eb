import * as z from "zod";
import { isServerName } from "../../shared/tls/server-name.ts";
import { readMaintenancePolicy } from "./decide/windows/index.ts";
import { registrySettings } from "./ports/components/index.ts";
import { isAddress } from "./ports/runtime-watcher/index.ts";
import { trustedHandlersSettings } from "./ports/trusted-handlers/index.ts";

const maintenancePolicy = z.looseObject({}).superRefine((written, context) => {
  const policy = readMaintenancePolicy(JSON.stringify(written));
  if ("rules" in policy) return;
  for (const { path, message } of policy)
    context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
});

/** Ten years: a moment so far away is still one. */
const MOST_MINUTES = 5_256_000;

const watcher = z
  .strictObject({
    address: z
      .string()
      .refine(isAddress, "write a host, or host:port")
      .describe("The gateway of the control plane, as runtimes reach it: events.example.org, or host:port."),
    image: z.string().min(1).describe("The image of Reveille for the Deployment that watches in a runtime."),
    issuer: z
      .enum(["builtIn", "certManager", "gardener"])
      .describe(
        "Who makes the certificates of runtimes. builtIn: the control plane. The others keep the authority in the Secret klm-watcher themselves.",
      )
      .default("builtIn"),
    gatewayNamespaces: z
      .array(z.string())
      .describe(
        "Where the Secret klm-istio-gateway is copied to: the namespace of the gateway, and that of reveille serve, which checks by its ca.crt who sends.",
      )
      .default([]),
    issuerName: z
      .string()
      .describe("The Issuer of cert-manager or Gardener, in the namespace of the Kymas.")
      .default("klm-watcher-selfsigned"),
    dnsNames: z
      .array(z.string().refine(isServerName, "write a DNS name"))
      .describe("More DNS names of each runtime's certificate.")
      .default([]),
    beatSeconds: z
      .int()
      .min(1)
      // Longer ones the listener does not take for signs of life.
      .max(3_600)
      .describe("A runtime says so often, in seconds, that it watches. One that misses three is looked at.")
      .default(60),
    pollMinutes: z
      .int()
      .min(1)
      .max(MOST_MINUTES)
      .describe("A runtime that does not say so is looked at so often, in minutes.")
      .default(5),
  })
  .describe("How runtimes tell of their changes. Absent: nothing is installed there for it.");

/** The configuration of Kyma. Every part has a default. */
export const configuration = z
  .object({
    target: z
      .enum(["secret", "local"])
      .describe(
        "Where modules go. secret: into the cluster of the kubeconfig that lies in the Secret with the Kyma's name. local: into this one.",
      )
      .default("secret"),
    registry: registrySettings,
    moduleKinds: z
      .array(z.string())
      .describe(
        "Which resources modules may bring into their clusters, as kubectl names them. What Reveille may do there, the kubeconfigs of these clusters say.",
      )
      .default(["*"]),
    imagePullSecret: z
      .string()
      .describe(
        "The Secret with which the pods of modules pull their images: its name. It lies in kcp-system, injectedSecrets lists it as secrets/NAME, and each cluster gets a copy. Absent: they pull with what their clusters have.",
      )
      .optional(),
    versions: z
      .boolean()
      .describe(
        "Whether users may name the version of a module in place of its channel. A KymaPolicy may enforce one all the same.",
      )
      .default(false),
    restrictedModules: z
      .array(z.string())
      .describe("The modules that only those Kymas may have which their ModuleReleaseMetas select.")
      .default([]),
    deniedGraceMinutes: z
      .int()
      .min(0)
      .max(MOST_MINUTES)
      .describe("A module that a policy denies stays for so many minutes before it is removed.")
      .default(5),
    dependencyGraceMinutes: z
      .int()
      .min(0)
      .max(MOST_MINUTES)
      .describe("A module may wait for what it requires for so many minutes before that is a Warning.")
      .default(5),
    rollOutMinutes: z
      .int()
      .min(0)
      .max(MOST_MINUTES)
      .describe(
        "A change of the catalog reaches the Kymas that have the module over so many minutes, so that not all ask the registry at once. Kymas that wait for it do not wait longer.",
      )
      .default(5),
    maintenancePolicy: maintenancePolicy
      .describe(
        "The maintenance policy, as the file policy.json has it: upgrades that interrupt the service wait for its windows. Absent: they wait until spec.skipMaintenanceWindows is set.",
      )
      .optional(),
    minimumWindowMinutes: z
      .int()
      .min(0)
      .max(MOST_MINUTES)
      .describe("An upgrade begins in a maintenance window only if so many minutes of it are left.")
      .default(20),
    watcher: watcher.optional(),
    injectingModules: z
      .array(z.string())
      .describe(
        "The modules whose Secrets may get their content from the control plane, where the artifact asks for it. What lies there must bear the module's name.",
      )
      .default([]),
    injectedSecrets: z
      .array(z.string().regex(/^secrets\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, "write secrets/NAME"))
      .describe(
        "The Secrets of the control plane that this content comes from, and the one of imagePullSecret, each as secrets/NAME. Roles follow from it.",
      )
      .default([]),
    trustedHandlers: trustedHandlersSettings,
    certificateKinds: z
      .array(z.string())
      .describe("The kinds by which others make certificates, as kubectl names them.")
      .default(["certificates.cert-manager.io", "certificates.cert.gardener.cloud"]),
  })
  .refine(({ target, trustedHandlers }) => target === "secret" || Object.keys(trustedHandlers).length === 0, {
    path: ["trustedHandlers"],
    error:
      "trusted handlers are asked by a control plane: with the target local Reveille runs where their credentials must not be",
  });
export type WatcherSettings = z.output<typeof watcher>;
export type Configuration = z.output<typeof configuration>;
