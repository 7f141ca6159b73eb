import * as z from "zod";

const images = (service: string) =>
  z
    .object({
      ephemeral: z.string().default(`docker.io/apache/incubator-kie-kogito-${service}-ephemeral:main`),
      postgresql: z.string().default(`docker.io/apache/incubator-kie-kogito-${service}-postgresql:main`),
    })
    .prefault({});

/** The configuration of SonataFlow. Every part has a default. */
export const configuration = z.object({
  images: z
    .object({ dataIndex: images("data-index"), jobService: images("jobs-service") })
    .describe("Images of the services, without and with a PostgreSQL database.")
    .prefault({}),
  eventsGrouping: z
    .object({ enabled: z.boolean(), binary: z.boolean(), compress: z.boolean() })
    .describe("Whether workflows send their events in groups, in binary form, compressed.")
    .default({ enabled: true, binary: true, compress: false }),
  gracePeriod: z
    .string()
    .regex(/^\d+(ms|s|m|h)$/)
    .describe(
      "How long a cluster platform stays active while its platform is not ready: 30s, 5m. Never where it is deleted.",
    )
    .default("0s"),
  defaultPlatform: z
    .string()
    .describe("Name of the empty platform that a namespace with workflows gets where it has none.")
    .default("sonataflow-platform"),
  operatorId: z
    .string()
    .describe(
      "Only objects whose annotation sonataflow.org/operator.id has this value are handled; empty: those without.",
    )
    .default(""),
  cluster: z.enum(["kubernetes", "openshift"]).describe("What the cluster is.").default("kubernetes"),
});
export type Configuration = z.output<typeof configuration>;
