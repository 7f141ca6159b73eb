import * as z from "zod";
import { LABEL_VALUE } from "../../shared/kube/label-value.ts";
import { repositorySettings, tokenFile } from "../../shared/oci/settings.ts";

/** The kinds that the charts of ClusterClasses may bring unless the configuration names others: those of Cluster API and its providers. */
const CLASS_KINDS = [
  "clusterclasses.cluster.x-k8s.io",
  "*.infrastructure.cluster.x-k8s.io",
  "*.controlplane.cluster.x-k8s.io",
  "*.bootstrap.cluster.x-k8s.io",
  "images.openstack.k-orc.cloud",
] as const;

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** The schema of one source of releases. */
export const sourceSettings = z
  .strictObject({
    folder: z.string().describe("The folder that holds a folder of assets for each release.").optional(),
    github: z
      .strictObject({
        repository: z
          .string()
          .regex(/^[\w-][\w.-]*\/[\w-][\w.-]*$/, "write owner/name")
          .describe("The repository whose releases they are: owner/name."),
        api: z
          .url({ protocol: /^https$/ })
          .describe("The API of a GitHub of one's own: https://host/api/v3. Absent: that of github.com.")
          .optional(),
        tokenFile,
      })
      .optional(),
    oci: repositorySettings("The repository whose tags are releases: registry.example.org/path.").optional(),
    secretName: z
      .string()
      .regex(NAME, "write the name of a Secret")
      .describe(
        "The Secret with its credentials, in the namespace of each ClusterStack that names the source: token, or for a registry username and password. In place of files; sourceSecrets must admit it.",
      )
      .optional(),
  })
  .refine(
    (it) => [it.folder, it.github, it.oci].filter((one) => one !== undefined).length === 1,
    "name one of folder, github and oci",
  )
  .refine(
    ({ secretName, folder, github, oci }) =>
      secretName === undefined ||
      (folder === undefined &&
        [github?.tokenFile, oci?.tokenFile, oci?.username].every((one) => one === undefined)),
    "secretName takes the place of tokenFile, username and passwordFile, and a folder needs no credentials",
  );

/** The configuration of cluster stacks. Every part has a default. */
export const configuration = z
  .object({
    sources: z
      .record(z.string(), sourceSettings)
      .describe(
        "Where releases lie, by the names that ClusterStacks give as spec.source; default is the one of those that name none.",
      )
      .default({ default: { folder: "releases" } }),
    sourceSecrets: z
      .array(z.string().regex(/^secrets\/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, "write secrets/NAME"))
      .describe(
        "The Secrets that sources name as secretName, each as secrets/NAME: they are read, and followed, in every namespace. Roles follow from it.",
      )
      .default([]),
    helm: z
      .string()
      .describe("The path of a helm binary that renders charts; absent: they are rendered without one.")
      .optional(),
    kinds: z
      .array(z.string())
      .describe(
        "Which resources the charts of ClusterClasses may bring, as kubectl names them: clusterclasses.cluster.x-k8s.io, *.infrastructure.cluster.x-k8s.io, or * for all. Roles follow from it.",
      )
      .default([...CLASS_KINDS]),
    addonKinds: z
      .array(z.string())
      .describe(
        "Which resources addons may bring into workload clusters, as kubectl names them. What Reveille may do there, the kubeconfigs of these clusters say.",
      )
      .default(["*"]),
    clusterKinds: z
      .array(z.string())
      .describe(
        "Which resources the values of addons may be made of: Clusters, and what they name as control plane and infrastructure.",
      )
      .default([
        "clusters.cluster.x-k8s.io",
        "*.controlplane.cluster.x-k8s.io",
        "*.infrastructure.cluster.x-k8s.io",
      ]),
    providerKinds: z
      .array(z.string())
      .describe("Which resources may be providers' templates and release objects, as kubectl names them.")
      .default(["*.infrastructure.clusterstack.x-k8s.io"]),
    watchFilter: z
      .string()
      .regex(LABEL_VALUE, "write the value of a label")
      .describe(
        "Only objects with the label cluster.x-k8s.io/watch-filter of this value are handled; absent: all are.",
      )
      .optional(),
    stageDeadlineMinutes: z
      .int()
      .min(1)
      .describe("A stage of addons that waits for a condition for longer than so many minutes says so.")
      .default(30),
  })
  .refine(
    ({ sources, sourceSecrets }) =>
      Object.values(sources).every(
        ({ secretName }) => secretName === undefined || sourceSecrets.includes(`secrets/${secretName}`),
      ),
    {
      path: ["sourceSecrets"],
      error: "a source names a Secret that is not here: add secrets/NAME, from which roles follow",
    },
  );
export type Configuration = z.output<typeof configuration>;
