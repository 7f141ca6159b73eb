import {
  type AdmissionDeclaration,
  admissionPath,
  configurationName,
  webhookName,
} from "../../shared/function/admission-declaration.ts";
import type { System } from "../../shared/function/system.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { PART_OF } from "../../shared/kube/home.ts";

/** The address at which the API server asks: a Service in its cluster, or a URL on its own machine. */
export type WebhookPlace =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
  | { readonly url: string };

export interface RegistrationOptions {
  readonly at: WebhookPlace;
  /** PEM of the authorities that the API server trusts there. Absent: it is left out. */
  readonly authorities?: string | undefined;
  /** The namespaces that are served. Absent: all. */
  readonly namespaces?: readonly string[] | undefined;
}

/** A webhook configuration as it is registered. */
export interface WebhookConfiguration {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration";
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly webhooks?: readonly object[];
}

/** For so long the API server waits for an answer. */
const TIMEOUT_SECONDS = 10;
/** The field manager of what is registered. */
export const MANAGER = "reveille-webhooks";

/** The webhook configurations of the systems' admissions, without their webhooks: what is there before anything is registered. */
export function emptyConfigurations(systems: readonly System[]): readonly WebhookConfiguration[] {
  return [...byConfiguration(systems).values()].map(({ configuration }) => configuration);
}

/** The webhook configurations of the systems' admissions, derived from their declarations. Deterministic. */
export function webhookConfigurations(
  systems: readonly System[],
  options: RegistrationOptions,
): readonly WebhookConfiguration[] {
  return [...byConfiguration(systems).values()].map(({ configuration, admissions }) => ({
    ...configuration,
    webhooks: admissions.map(({ system, admission }) => webhookOf(system, admission, options)),
  }));
}

interface Bound {
  readonly system: string;
  readonly admission: AdmissionDeclaration;
}
interface Grouped {
  readonly configuration: WebhookConfiguration;
  readonly admissions: Bound[];
}

function byConfiguration(systems: readonly System[]): ReadonlyMap<string, Grouped> {
  const grouped = new Map<string, Grouped>();
  for (const { name: system, admissions } of systems)
    for (const admission of admissions) {
      const kind = `${admission.webhook.type ?? "Mutating"}WebhookConfiguration` as const;
      const name = configurationName(system, admission);
      const id = `${kind}/${name}`;
      const known: Grouped = grouped.get(id) ?? {
        configuration: {
          apiVersion: "admissionregistration.k8s.io/v1" as const,
          kind,
          metadata: { name, labels: PART_OF },
        },
        admissions: [],
      };
      known.admissions.push({ system, admission });
      grouped.set(id, known);
    }
  return new Map([...grouped].sort(([one], [other]) => one.localeCompare(other)));
}

function webhookOf(
  system: string,
  admission: AdmissionDeclaration,
  { at, authorities, namespaces }: RegistrationOptions,
): object {
  const { kind, operations, whenDown } = admission;
  const path = admissionPath(admission);
  const namespaced = kind.scope === "Namespaced";
  return {
    name: webhookName(system, admission),
    admissionReviewVersions: ["v1"],
    clientConfig: {
      ...("url" in at ? { url: `${at.url}${path}` } : { service: { ...at.service, path } }),
      ...(authorities !== undefined && { caBundle: Buffer.from(authorities).toString("base64") }),
    },
    failurePolicy: whenDown === "deny" ? "Fail" : "Ignore",
    matchPolicy: "Equivalent",
    // It decides, and writes nothing.
    sideEffects: "None",
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(namespaced &&
      namespaces !== undefined && {
        namespaceSelector: {
          matchExpressions: [
            { key: "kubernetes.io/metadata.name", operator: "In", values: [...namespaces].sort() },
          ],
        },
      }),
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [...kind.versions],
        operations: operations.map((one) => one.toUpperCase()),
        resources: [kind.plural],
        scope: namespaced ? "Namespaced" : "Cluster",
      },
    ],
  };
}

/** The resource of a webhook configuration. */
export const configurationResource = ({ kind }: Pick<WebhookConfiguration, "kind">): Resource => ({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope: "Cluster",
});

/** Registers: from now on the API server asks. What else stands in a configuration of that name stays. Throws a `KubeError`. */
export async function register(
  client: Pick<KubeClient, "apply">,
  configurations: readonly WebhookConfiguration[],
  signal?: AbortSignal,
): Promise<void> {
  for (const one of configurations)
    await client.apply(
      configurationResource(one),
      { name: one.metadata.name },
      { ...one },
      {
        fieldManager: MANAGER,
        force: true,
        signal,
      },
    );
}

/** Takes away what `register` wrote, but for the configurations that are named. Throws a `KubeError`. */
export async function unregister(
  client: Pick<KubeClient, "delete" | "pages">,
  but: readonly WebhookConfiguration[] = [],
): Promise<void> {
  const stay = new Set(but.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] as const) {
    const resource = configurationResource({ kind });
    for await (const { items } of client.pages(resource, { labelSelector: LABEL, metadataOnly: true }))
      for (const { metadata } of items) {
        const { name, uid, managedFields } = metadata;
        const ours = managedFields?.some(({ manager }) => manager === MANAGER) === true;
        if (ours && !stay.has(`${kind}/${name}`)) await client.delete(resource, { name }, { uid });
      }
  }
}
const LABEL = Object.entries(PART_OF)
  .map(([label, value]) => `${label}=${value}`)
  .join(",");

/** The Secret of the certificate where the settings name no other. */
export const WEBHOOKS_SECRET = "reveille-webhooks";

/** The Secret that the leading watcher puts the certificate into, as it is installed. */
export const emptySecret = (at: { readonly namespace: string; readonly name: string }): object => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { ...at, labels: PART_OF },
  type: "Opaque",
});
