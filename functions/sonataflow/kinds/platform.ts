import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { EnvVar } from "../../../shared/kube/schema/env.ts";
import { ConfigMapKeySelector, SecretKeySelector } from "../../../shared/kube/schema/references.ts";
import { ResourceRequirements } from "../../../shared/kube/schema/resources.ts";
import { word } from "../../../shared/kube/schema/words.ts";
import { OPERATOR_ID, SECONDARY } from "./annotations.ts";
import { conditionsOf } from "./condition.ts";
import { destination, serviceRefs, triggers } from "./destination.ts";
import { persistence, platformPersistence } from "./persistence.ts";
import { podTemplate } from "./pod-template.ts";
import { through } from "./through.ts";

const service = {
  enabled: z
    .boolean()
    .describe("Whether workflows use the service, here and cluster-wide. It is deployed either way.")
    .default(true),
  persistence: persistence
    .describe("Where it keeps its state. Absent: the platform's, else nowhere.")
    .optional(),
  podTemplate: podTemplate.describe("Its pods.").optional(),
  source: destination.optional(),
};

const build = z.object({
  config: z
    .object({
      baseImage: z.string().optional(),
      registry: z
        .object({
          address: z.string().optional(),
          ca: z.string().optional(),
          insecure: z.boolean().optional(),
          organization: z.string().optional(),
          secret: z.string().optional(),
        })
        .optional(),
      strategy: z.string().optional(),
      strategyOptions: z.record(z.string(), z.string()).optional(),
      timeout: z.string().optional(),
    })
    .optional(),
  template: z
    .object({
      arguments: z.array(z.string()).optional(),
      buildArgs: z.array(EnvVar).optional(),
      envs: z.array(EnvVar).optional(),
      resources: ResourceRequirements.optional(),
      timeout: z.string().meta({ format: "duration" }).optional(),
    })
    .optional(),
});

const flowProperty = z.object({
  name: z.string().describe("Name of the property."),
  value: z.string().describe("Its value.").optional(),
  valueFrom: z
    .object({
      configMapKeyRef: ConfigMapKeySelector.describe(
        "A key of a ConfigMap; its change rolls out.",
      ).optional(),
      secretKeyRef: SecretKeySelector.describe(
        "A key of a Secret; it reaches the pod as an environment variable.",
      ).optional(),
    })
    .describe("Where its value comes from.")
    .optional(),
});

/** A namespace's platform for its workflows: services, a database, properties. */
export class Platform extends defineKind({
  group: "sonataflow.org",
  version: "v1alpha08",
  kind: "SonataFlowPlatform",
  scope: "Namespaced",
  shortNames: ["sfp", "sfplatform", "sfplatforms"],
  description: "What a namespace gives its workflows: services, a database, properties.",
  fields: {
    spec: z
      .object({
        build: build.describe("Image builds. Accepted and kept; images are not built.").optional(),
        devMode: z
          .object({ baseImage: z.string().optional() })
          .describe("The dev profile's runtime. Accepted and kept.")
          .optional(),
        eventing: z
          .object({ broker: destination.optional() })
          .describe("Knative eventing. Accepted and kept.")
          .optional(),
        monitoring: z
          .object({ enabled: z.boolean().optional() })
          .describe("Monitoring. Accepted and kept.")
          .optional(),
        persistence: platformPersistence
          .describe("The database of all that name none of their own.")
          .optional(),
        properties: z
          .object({
            flow: z.array(flowProperty).describe("Added to every workflow of the namespace.").optional(),
          })
          .describe("Properties of the workflows.")
          .optional(),
        services: z
          .object({
            dataIndex: z.object(service).describe("The Data Index. Present: it is deployed here.").optional(),
            jobService: z
              .object({ ...service, sink: destination.optional() })
              .describe("The Jobs Service. Present: it is deployed here.")
              .optional(),
          })
          .describe("This namespace's own services. Present, even empty: the cluster's are not used.")
          .optional(),
      })
      .optional(),
  },
  status: z.object({
    cluster: z.enum(["kubernetes", "openshift"]).describe("What the cluster is.").optional(),
    clusterPlatformRef: z
      .object({
        name: z.string().describe("The active SonataFlowClusterPlatform.").optional(),
        platformRef: z
          .object({ name: z.string(), namespace: z.string() })
          .describe("The platform that it points at.")
          .optional(),
        services: serviceRefs.describe("The services that are used from there.").optional(),
      })
      .describe("What the cluster shares with this namespace.")
      .optional(),
    conditions: conditionsOf<"Succeed" | "DataIndexSucceed" | "JobsServiceSucceed">().optional(),
    info: z.record(z.string(), word<string>()).describe("About what wrote this status.").optional(),
    observedGeneration: z.int().describe("The generation that this status is about.").optional(),
    triggers: triggers.optional(),
    version: z.string().describe("Version of the workflow language.").optional(),
  }),
  columns: [
    { name: "Cluster", type: "string", jsonPath: ".status.cluster" },
    { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Succeed')].status" },
    { name: "Reason", type: "string", jsonPath: ".status.conditions[?(@.type=='Succeed')].reason" },
  ],
  // What the workflows' settings hold may be delicate: only their digest (in info) travels.
  facts: (it) => ({
    succeed: it.status.conditions.of("Succeed").status,
    reason: it.status.conditions.of("Succeed").reason,
    dataIndex: it.spec.services.dataIndex.enabled,
    jobService: it.spec.services.jobService.enabled,
    clusterPlatform: it.status.clusterPlatformRef,
    info: it.status.info,
    observedGeneration: it.status.observedGeneration,
    secondary: through(it.metadata.annotations[SECONDARY]),
    operator: through(it.metadata.annotations[OPERATOR_ID]),
    deleting: it.metadata.deletionTimestamp,
  }),
  ready: (it) => it.status.conditions.of("Succeed").status.is("True"),
}) {}
