import type { OwnedBody } from "../../../../shared/function/index.ts";
import type { ConfigMap, Deployment, Service } from "../../../../shared/kube/kinds/index.ts";
import type { Container } from "../../../../shared/kube/schema/container.ts";
import type { Configuration } from "../../configuration.ts";
import { CHECKSUM } from "../../kinds/annotations.ts";
import type { Platform } from "../../kinds/index.ts";
import { digestOf, type Properties, propertiesFile } from "../objects/properties-file.ts";
import { mergedContainer, mergedPod } from "./pod-merge.ts";
import { type Database, databaseEnv, databaseOfService, reactiveUrl } from "./postgres.ts";
import { isOffered, objectNameOf, type ServiceName, settingsOf, suffixOf, urlOf } from "./services.ts";

/** The objects that a platform deploys of one service. */
export interface ServiceObjects {
  readonly configMap: OwnedBody<typeof ConfigMap>;
  readonly deployment: OwnedBody<typeof Deployment>;
  readonly service: OwnedBody<typeof Service>;
}

const PORT = 8080;
const FILE = "application.properties";
const PROBE = {
  initialDelaySeconds: 45,
  timeoutSeconds: 10,
  periodSeconds: 30,
  successThreshold: 1,
  failureThreshold: 4,
};
const FLYWAY = { name: "QUARKUS_FLYWAY_MIGRATE_AT_START", value: "true" };
const PARTICULARS = {
  dataIndex: {
    env: [{ name: "KOGITO_DATA_INDEX_QUARKUS_PROFILE", value: "http-events-support" }],
    databaseEnv: [{ name: "QUARKUS_HIBERNATE_ORM_DATABASE_GENERATION", value: "update" }, FLYWAY],
    resources: { requests: { cpu: "100m", memory: "1Gi" }, limits: { cpu: "200m", memory: "1Gi" } },
  },
  jobService: {
    env: [],
    databaseEnv: [FLYWAY, { name: "KOGITO_JOBS_SERVICE_LOADJOBERRORSTRATEGY", value: "FAIL_SERVICE" }],
    resources: { requests: { cpu: "250m", memory: "64Mi" }, limits: { cpu: "500m", memory: "1Gi" } },
  },
} as const;

/** The three objects of a service that the platform has (3.5), or why they cannot be told. The same input always gives the same objects. */
export function serviceObjects(
  platform: Platform,
  service: ServiceName,
  config: Configuration,
): ServiceObjects | { readonly problem: string } {
  const name = objectNameOf(platform.metadata.name, service);
  const settings = settingsOf(platform, service);
  const database = databaseOfService(platform, settings?.persistence, name);
  const properties = propertiesOf(platform, service, database);
  if ("problem" in properties) return { problem: `${suffixOf(service)}: ${properties.problem}` };
  const text = propertiesFile(properties.all);
  const labels = labelsOf(platform, service, name);
  const selector = { "sonataflow.org/service": name };
  const main = mergedContainer(containerOf(service, database, config), settings?.podTemplate?.container);
  const volume = { name: "application-config", configMap: { name: `${name}-props` } };
  return {
    configMap: { metadata: { name: `${name}-props`, labels }, data: { [FILE]: text } },
    deployment: {
      metadata: { name, labels },
      spec: {
        replicas: replicasOf(service, settings?.podTemplate?.replicas),
        // The Jobs Service is a singleton: two at once would both fire its timers.
        ...(service === "jobService" && { strategy: { type: "Recreate" } }),
        selector: { matchLabels: selector },
        template: {
          metadata: { labels, annotations: { [CHECKSUM]: digestOf(text) } },
          spec: mergedPod(main, [volume], settings?.podTemplate),
        },
      },
    },
    service: {
      metadata: { name, labels },
      spec: { selector, ports: [{ name: "http", protocol: "TCP", port: 80, targetPort: PORT }] },
    },
  };
}

const replicasOf = (service: ServiceName, asked = 1): number =>
  service === "dataIndex" ? asked : Math.min(asked, 1);

const labelsOf = (platform: Platform, service: ServiceName, name: string): Record<string, string> => ({
  app: platform.metadata.name,
  "app-namespace": platform.metadata.namespace,
  "app.kubernetes.io/component": name,
  "app.kubernetes.io/managed-by": "sonataflow-operator",
  "app.kubernetes.io/name": suffixOf(service),
  "app.kubernetes.io/part-of": platform.metadata.name,
  "sonataflow.org/service": name,
});

function containerOf(service: ServiceName, database: Database | undefined, config: Configuration): Container {
  const { env, databaseEnv: withDatabase, resources } = PARTICULARS[service];
  const probe = (path: string) => ({ httpGet: { path: `/q/health/${path}`, port: PORT }, ...PROBE });
  return {
    name: suffixOf(service),
    image: config.images[service][database === undefined ? "ephemeral" : "postgresql"],
    env: [...env, ...(database === undefined ? [] : [...databaseEnv(database), ...withDatabase])],
    ports: [{ name: "http", containerPort: PORT, protocol: "TCP" }],
    resources,
    readinessProbe: probe("ready"),
    livenessProbe: probe("live"),
    volumeMounts: [{ name: "application-config", mountPath: "/home/kogito/config" }],
  };
}

function propertiesOf(
  platform: Platform,
  service: ServiceName,
  database: Database | undefined,
): { readonly all: Properties } | { readonly problem: string } {
  const all = {
    "quarkus.http.port": String(PORT),
    "quarkus.http.host": "0.0.0.0",
    "quarkus.devservices.enabled": "false",
    "quarkus.kogito.devservices.enabled": "false",
    "kogito.service.url": urlOf(platform.metadata, service),
  };
  const health = (check: string): string => `quarkus.smallrye-health.check."${check}".enabled`;
  if (service === "dataIndex")
    return { all: { ...all, [health("io.quarkus.kafka.client.health.KafkaHealthCheck")]: "false" } };
  const reactive = database === undefined ? undefined : reactiveUrl(database);
  if (reactive !== undefined && "problem" in reactive) return reactive;
  return {
    all: {
      ...all,
      [health("org.kie.kogito.jobs.service.messaging.http.health.knative.KSinkInjectionHealthCheck")]:
        "false",
      [health("org.kie.kogito.jobs.service.management.JobServiceLeaderLivenessHealthCheck")]: "true",
      "kogito.jobs-service.management.leader-check.expiration-in-seconds": "60",
      "quarkus.datasource.reactive.url": reactive?.url,
      ...(isOffered(platform, "dataIndex") && {
        "kogito.jobs-service.http.job-status-change-events": "true",
        "mp.messaging.outgoing.kogito-job-service-job-status-events-http.url": `${urlOf(platform.metadata, "dataIndex")}/jobs`,
      }),
    },
  };
}
