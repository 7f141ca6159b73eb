import type { ClusterPlatform, Platform, ServiceRefs } from "../../kinds/index.ts";
import type { PlatformRef } from "./active-platform.ts";

/** The services that a platform can deploy, by the name of their field. */
export const SERVICES = ["dataIndex", "jobService"] as const;
export type ServiceName = (typeof SERVICES)[number];

const SUFFIX = { dataIndex: "data-index-service", jobService: "jobs-service" } as const;
const REF = { dataIndex: "dataIndexRef", jobService: "jobServiceRef" } as const;

/** Also the name of the service's container. */
export const suffixOf = (service: ServiceName): string => SUFFIX[service];
/** The name of a service's Deployment and Service. */
export const objectNameOf = (platform: string, service: ServiceName): string =>
  `${platform}-${SUFFIX[service]}`;

/** The URL of a platform's service: port 80, no slash at the end. */
export const urlOf = ({ name, namespace }: PlatformRef, service: ServiceName): string =>
  `http://${objectNameOf(name, service)}${namespace === "" ? "" : `.${namespace}`}`;

/** A platform's settings of a service; undefined where it does not deploy it. */
export const settingsOf = (platform: Platform | undefined, service: ServiceName) =>
  platform?.spec?.services?.[service];
/** Deployed here, and meant to be used. */
export const isOffered = (platform: Platform | undefined, service: ServiceName): boolean => {
  const settings = settingsOf(platform, service);
  return settings !== undefined && settings.enabled !== false;
};

/** References of those services that have a URL; undefined where none has. */
function refsOf(url: (service: ServiceName) => string | undefined): ServiceRefs | undefined {
  const refs = SERVICES.flatMap((service) => {
    const found = url(service);
    return found === undefined ? [] : [[REF[service], { url: found }] as const];
  });
  return refs.length === 0 ? undefined : Object.fromEntries(refs);
}

const sharesServices = (cluster: ClusterPlatform): boolean =>
  cluster.spec?.capabilities === undefined ||
  (cluster.spec.capabilities.workflows ?? []).includes("services");

/**
 * The part of a platform's status that tells of the cluster (3.3, step 1), built anew each time: undefined without an active one;
 * without `services` where nothing is used from there.
 */
export function clusterReferenceOf(
  self: Platform,
  active: ClusterPlatform | undefined,
  hub: Platform | undefined,
): NonNullable<Platform["status"]>["clusterPlatformRef"] {
  const ref = active?.spec?.platformRef;
  if (active === undefined || ref === undefined) return undefined;
  const uses =
    sharesServices(active) && self.spec?.services === undefined && hub?.metadata.uid !== self.metadata.uid;
  const services = refsOf((service) => (uses && isOffered(hub, service) ? urlOf(ref, service) : undefined));
  return { name: active.metadata.name, platformRef: ref, ...(services !== undefined && { services }) };
}

/**
 * The services that a workflow uses (3.4), told by its own platform alone: what the platform deploys where it has
 * `services`, even empty; else what its status says of the cluster, one hop and no further. A dev workflow uses none.
 */
export function effectiveServices(platform: Platform | undefined, dev: boolean): ServiceRefs | undefined {
  if (platform === undefined || dev) return undefined;
  if (platform.spec?.services === undefined) {
    const shared = platform.status?.clusterPlatformRef?.services;
    return refsOf((service) => shared?.[REF[service]]?.url);
  }
  return refsOf((service) => (isOffered(platform, service) ? urlOf(platform.metadata, service) : undefined));
}
