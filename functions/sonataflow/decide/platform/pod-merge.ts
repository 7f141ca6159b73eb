import type { Container } from "../../../../shared/kube/schema/container.ts";
import type { PodSpec } from "../../../../shared/kube/schema/pod-spec.ts";
import type { Probe } from "../../../../shared/kube/schema/probes.ts";
import type { PodTemplate } from "../../kinds/index.ts";

type UserContainer = NonNullable<PodTemplate["container"]>;

/** One entry a key, the last one; in the order in which the keys first came. */
const byKey = <T>(items: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];
/** Ours, then those of the user's whose key we do not use. */
const oursFirst = <T>(ours: readonly T[], theirs: readonly T[], key: (item: T) => string): T[] => {
  const taken = new Set(ours.map(key));
  return [...ours, ...byKey(theirs, key).filter((item) => !taken.has(key(item)))];
};
const orAbsent = <T>(items: T[]): T[] | undefined => (items.length === 0 ? undefined : items);

/** Fields that are undefined are not written at all. */
const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;

/** Probe fields of the user's override ours; another way of asking replaces ours. */
function mergedProbe(ours: Probe | undefined, theirs: Probe | undefined): Probe | undefined {
  if (ours === undefined || theirs === undefined) return theirs ?? ours;
  const { exec, grpc, httpGet, tcpSocket, ...timing } = ours;
  const asks = [theirs.exec, theirs.grpc, theirs.httpGet, theirs.tcpSocket].some((way) => way !== undefined);
  return defined({ ...timing, ...(asks ? {} : { exec, grpc, httpGet, tcpSocket }), ...theirs });
}

/** Upstream's rule for images that move: `latest`, or no tag, is always pulled; a digest never moves. */
export function pullPolicyOf(image: string | undefined): "Always" | undefined {
  if (image === undefined || image.includes("@")) return undefined;
  const tag = /:([^/:]*)$/.exec(image)?.[1];
  return tag === undefined || tag === "latest" ? "Always" : undefined;
}

/**
 * The main container: the user's fields override ours; variables, ports and mounts that are ours stay, the user's others
 * follow in their order; the name is fixed.
 */
export function mergedContainer(ours: Container, theirs: UserContainer = {}): Container {
  const port = (it: NonNullable<Container["ports"]>[number]): string =>
    `${it.containerPort}/${it.protocol ?? "TCP"}`;
  const named = new Set((ours.ports ?? []).map(({ name }) => name));
  const ports = (theirs.ports ?? []).filter(({ name }) => name === undefined || !named.has(name));
  const limits = { ...ours.resources?.limits, ...theirs.resources?.limits };
  const requests = { ...ours.resources?.requests, ...theirs.resources?.requests };
  const merged: Container = defined({
    ...ours,
    ...defined(theirs),
    name: ours.name,
    env: orAbsent(oursFirst(ours.env ?? [], theirs.env ?? [], ({ name }) => name)),
    ports: orAbsent(oursFirst(ours.ports ?? [], ports, port)),
    volumeMounts: orAbsent(
      oursFirst(ours.volumeMounts ?? [], theirs.volumeMounts ?? [], ({ mountPath }) => mountPath),
    ),
    livenessProbe: mergedProbe(ours.livenessProbe, theirs.livenessProbe),
    readinessProbe: mergedProbe(ours.readinessProbe, theirs.readinessProbe),
    startupProbe: mergedProbe(ours.startupProbe, theirs.startupProbe),
    ...((ours.resources ?? theirs.resources) !== undefined && {
      resources: defined({
        ...ours.resources,
        ...theirs.resources,
        limits: Object.keys(limits).length > 0 ? limits : undefined,
        requests: Object.keys(requests).length > 0 ? requests : undefined,
      }),
    }),
    ...((ours.securityContext ?? theirs.securityContext) !== undefined && {
      securityContext: defined({ ...ours.securityContext, ...theirs.securityContext }),
    }),
  });
  return defined({ ...merged, imagePullPolicy: theirs.imagePullPolicy ?? pullPolicyOf(merged.image) });
}

/**
 * The pods: the user's fields as they are; their further containers in their order, one with the fixed name replaced by the
 * main one; volumes that are ours stay, the user's others follow.
 */
export function mergedPod(
  main: Container,
  volumes: NonNullable<PodSpec["volumes"]>,
  template: PodTemplate & { readonly deploymentModel?: string | undefined } = {},
): PodSpec {
  const {
    container: _container,
    replicas: _replicas,
    deploymentModel: _model,
    containers = [],
    ...fields
  } = template;
  const named = (it: { readonly name: string }): string => it.name;
  const others = byKey(containers, named);
  const at = others.findIndex(({ name }) => name === main.name);
  return defined({
    ...fields,
    ...(fields.initContainers !== undefined && { initContainers: byKey(fields.initContainers, named) }),
    ...(fields.hostAliases !== undefined && { hostAliases: byKey(fields.hostAliases, ({ ip }) => ip) }),
    ...(fields.imagePullSecrets !== undefined && { imagePullSecrets: byKey(fields.imagePullSecrets, named) }),
    containers: at < 0 ? [...others, main] : others.with(at, main),
    volumes: orAbsent(oursFirst(volumes, fields.volumes ?? [], named)),
  });
}
