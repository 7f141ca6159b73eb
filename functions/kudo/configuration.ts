import * as z from "zod";

/** The kinds that templates may bring unless the configuration names others: none that hands out rights. */
const ORDINARY_KINDS = [
  "configmaps",
  "secrets",
  "services",
  "serviceaccounts",
  "persistentvolumeclaims",
  "pods",
  "deployments.apps",
  "statefulsets.apps",
  "daemonsets.apps",
  "replicasets.apps",
  "jobs.batch",
  "cronjobs.batch",
  "poddisruptionbudgets.policy",
  "horizontalpodautoscalers.autoscaling",
  "ingresses.networking.k8s.io",
  "networkpolicies.networking.k8s.io",
] as const;

/** The configuration of KUDO. Every part has a default. */
export const configuration = z.object({
  kinds: z
    .array(z.string())
    .describe(
      "Which resources the templates of packages may bring, as kubectl names them: deployments.apps, *.apps, or * for all. Roles follow from it.",
    )
    .default([...ORDINARY_KINDS]),
  waiterImage: z
    .string()
    .min(1)
    .describe(
      "The image of the container that waits in the Pod of a Pipe task until its files were read: it must have sh, sleep and cat.",
    )
    .default("busybox"),
});
export type Configuration = z.output<typeof configuration>;

/** True where the configuration admits a resource of that group, or may once the server knows one. */
export const mayBring = ({ kinds }: Pick<Configuration, "kinds">, group: string): boolean =>
  kinds.some(
    (name) => name === "*" || (name.includes(".") ? name.slice(name.indexOf(".") + 1) : "") === group,
  );
