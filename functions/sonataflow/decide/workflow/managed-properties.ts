import type { Configuration } from "../../configuration.ts";
import type { ServiceRefs, Workflow } from "../../kinds/index.ts";
import type { Properties } from "../objects/properties-file.ts";
import { usesTimeouts } from "./flow-timeouts.ts";
import type { Profile } from "./profile.ts";

/** All that the managed properties of a workflow follow from. */
export interface ManagedInput {
  readonly workflow: Workflow;
  readonly profile: Profile;
  /** The properties of the platform's `spec.properties.flow`. */
  readonly flow: Properties;
  /** The services that it uses. */
  readonly services: ServiceRefs | undefined;
  /** True where it keeps its state in a database. */
  readonly persistent: boolean;
  readonly config: Configuration;
}

export const userConfigMapOf = (workflow: string): string => `${workflow}-props`;
export const managedConfigMapOf = (workflow: string): string => `${workflow}-managed-props`;
export const USER_FILE = "application.properties";
/** The file of the runtime's profile: it wins over the user's. */
export const managedFileOf = (profile: Profile): string =>
  profile === "dev" ? "application-dev.properties" : "application-prod.properties";

/** The URL of a workflow within the cluster. */
export const workflowUrl = ({ metadata: { name, namespace } }: Workflow): string =>
  `http://${name}${namespace === "" ? "" : `.${namespace}`}`;

/** The managed properties of a workflow (3.7), in rising priority. */
export const managedProperties = (input: ManagedInput): Properties => ({
  ...baseProperties(input),
  ...input.flow,
  ...(input.persistent && input.profile === "preview" && PERSISTENT),
  ...dataIndexProperties(input.services?.dataIndexRef?.url),
  ...jobServiceProperties(input.services?.jobServiceRef?.url, input.workflow),
  "org.kie.kogito.addons.knative.eventing.health-enabled": "false",
  "kogito.service.url": workflowUrl(input.workflow),
  "quarkus.http.port": "8080",
  "quarkus.http.host": "0.0.0.0",
  "quarkus.devservices.enabled": "false",
  "quarkus.kogito.devservices.enabled": "false",
});

const PERSISTENT: Properties = {
  "quarkus.datasource.db-kind": "postgresql",
  "kogito.persistence.type": "jdbc",
  "kogito.persistence.proto.marshaller": "false",
};

function baseProperties({ profile, config: { eventsGrouping } }: ManagedInput): Properties {
  const always = { "kogito.events.usertasks.enabled": "false" };
  if (profile === "dev") return { ...always, "quarkus.dev-ui.cors.enabled": "false" };
  return {
    ...always,
    ...(eventsGrouping.enabled && {
      "kogito.events.grouping": "true",
      ...(eventsGrouping.binary && { "kogito.events.grouping.binary": "true" }),
      ...(eventsGrouping.compress && { "kogito.events.grouping.compress": "true" }),
    }),
  };
}

/** All of the block or nothing of it (5.11): a workflow that sends some events and not others looks like one that never ran. */
const dataIndexProperties = (url: string | undefined): Properties =>
  url === undefined
    ? {
        "kogito.events.processdefinitions.enabled": "false",
        "kogito.events.processinstances.enabled": "false",
      }
    : {
        "kogito.events.processdefinitions.enabled": "true",
        "kogito.events.processinstances.enabled": "true",
        "kogito.events.processdefinitions.errors.propagate": "true",
        "mp.messaging.outgoing.kogito-processdefinitions-events.url": `${url}/definitions`,
        "mp.messaging.outgoing.kogito-processinstances-events.url": `${url}/processes`,
        "kogito.data-index.url": url,
        "kogito.data-index.health-enabled": "true",
      };

const jobServiceProperties = (url: string | undefined, workflow: Workflow): Properties => ({
  "mp.messaging.outgoing.kogito-job-service-job-request-events.connector": "quarkus-http",
  "mp.messaging.outgoing.kogito-job-service-job-request-events.url": `${url ?? "http://localhost"}/v2/jobs/events`,
  ...(url !== undefined && {
    "kogito.jobs-service.url": url,
    ...(usesTimeouts(workflow) && { "kogito.jobs-service.health-enabled": "true" }),
  }),
});
