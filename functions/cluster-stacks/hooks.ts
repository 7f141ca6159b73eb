import * as z from "zod";
import { hook, type Obj, patch, type Reader } from "../../shared/function/index.ts";
import { type Configuration, configuration } from "./configuration.ts";
import { isLeftOut } from "./decide/filter/index.ts";
import {
  ASKED_ANNOTATION,
  type Asked,
  type AskedAddon,
  type AskedWorld,
  askedIn,
  askedText,
  type Hook,
  isToBeStored,
  mayUpgrade,
  RETRY_SECONDS,
  servedHook,
} from "./decide/hooks/index.ts";
import { classPlace, releasePlace } from "./decide/usage/index.ts";
import { Cluster, ClusterAddon, ClusterStackRelease, isPaused, isPausedCluster } from "./kinds/index.ts";

const API_VERSION = "hooks.runtime.cluster.x-k8s.io/v1alpha1";

const objectName = z.string().regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, "it is no name of an object");
const topology = z.looseObject({
  class: z.string().optional(),
  classNamespace: z.string().optional(),
  classRef: z.looseObject({ name: z.string().optional(), namespace: z.string().optional() }).optional(),
});
const cluster = z.looseObject({
  metadata: z.looseObject({ name: objectName, namespace: objectName }),
  spec: z.looseObject({ topology: topology.optional() }).optional(),
});
type AskedCluster = z.output<typeof cluster>;
type Addon = Obj<typeof ClusterAddon>;
const answer = z.object({ status: z.enum(["Success", "Failure"]), message: z.string().optional() });

/** The first control plane of a Cluster answers (4.3). Its addons are installed as soon as that is so, whoever asks. */
export const afterControlPlaneInitialized = hook({
  name: "after-control-plane-initialized",
  requestHook: { apiVersion: API_VERSION, hook: "AfterControlPlaneInitialized" },
  request: z.looseObject({ cluster }),
  response: answer,
}).function({
  storesNothing: "the functions see by themselves that the workload cluster answers, and begin then",
  answer: () => ({ status: "Success" }),
});

/** A Cluster is to be upgraded: it waits until the addons of the class that it asks about are installed. */
export const beforeClusterUpgrade = hook({
  name: "before-cluster-upgrade",
  requestHook: { apiVersion: API_VERSION, hook: "BeforeClusterUpgrade" },
  request: z.looseObject({ cluster, toKubernetesVersion: z.string().optional() }),
  response: answer.extend({ retryAfterSeconds: z.int().optional() }),
}).function({
  config: configuration,
  reads: [Cluster, ClusterStackRelease],
  writes: [ClusterAddon],
  verbs: { Cluster: ["get"], ClusterStackRelease: ["get"], ClusterAddon: ["get", "patch"] },
  observe: ({ request, read, config }) => observed(request.cluster, read, config),
  store: ({ request, world, addon }) =>
    stored(askedOf("BeforeClusterUpgrade", request.cluster, request.toKubernetesVersion), world, addon),
  answer: ({ request, world }) => ({ status: "Success", ...mayUpgrade(classOf(request.cluster), world) }),
  // It is asked again, and until then nothing is upgraded.
  failed: ({ message }) => ({ status: "Success", message, retryAfterSeconds: RETRY_SECONDS }),
});

/** A Cluster has been upgraded: the last stages may run. Nobody waits for them. */
export const afterClusterUpgrade = hook({
  name: "after-cluster-upgrade",
  requestHook: { apiVersion: API_VERSION, hook: "AfterClusterUpgrade" },
  request: z.looseObject({ cluster, kubernetesVersion: z.string().optional() }),
  response: answer,
}).function({
  config: configuration,
  reads: [Cluster, ClusterStackRelease],
  writes: [ClusterAddon],
  verbs: { Cluster: ["get"], ClusterStackRelease: ["get"], ClusterAddon: ["get", "patch"] },
  observe: ({ request, read, config }) => observed(request.cluster, read, config),
  store: ({ request, world, addon }) =>
    stored(askedOf("AfterClusterUpgrade", request.cluster, request.kubernetesVersion), world, addon),
  answer: () => ({ status: "Success" }),
  // A success would be the last word about it.
  failed: ({ message }) => ({ status: "Failure", message }),
});

const classOf = ({ metadata, spec }: AskedCluster): string =>
  classPlace(spec?.topology, metadata.namespace)?.name ?? "";
const askedOf = (name: Hook, of: AskedCluster, version = ""): Asked => ({
  hook: name,
  clusterStack: classOf(of),
  version,
});

/** The Cluster as it stands now, and its addons: whoever asks may do so from memory. */
async function observed(
  { metadata: { name, namespace } }: AskedCluster,
  read: Reader<"Cluster" | "ClusterAddon" | "ClusterStackRelease">,
  config: Configuration,
): Promise<{ readonly world: AskedWorld; readonly addon: Addon | undefined }> {
  const live = await read.get(Cluster, { name, namespace });
  const place = classPlace(live?.spec?.topology, namespace);
  const at = releasePlace(place);
  if (live === undefined || place === undefined || at === undefined || isNobodys(live, config))
    return { world: { wanted: undefined, addon: undefined }, addon: undefined };
  const [addon, release] = await Promise.all([
    read.get(ClusterAddon, { name: `cluster-addon-${name}`, namespace }),
    read.get(ClusterStackRelease, at),
  ]);
  const isOurs = addon !== undefined || release !== undefined;
  const world = {
    wanted: isOurs ? place.name : undefined,
    paused: pausedText(live, addon),
    addon: addon && askedAddon(addon),
  };
  return { world, addon };
}

/** True for a Cluster whose addons nobody works on any more, or another program does. */
const isNobodys = (live: Obj<typeof Cluster>, config: Configuration): boolean =>
  live.metadata.deletionTimestamp !== undefined || isLeftOut(live, config);

/** The reason why nobody works on addons, with what ends it; undefined where somebody does. */
function pausedText(live: Obj<typeof Cluster>, addon: Addon | undefined): string | undefined {
  const paused = isPausedCluster(live)
    ? live
    : addon !== undefined && isPaused({ self: addon })
      ? addon
      : undefined;
  return (
    paused &&
    `${paused.kind} ${paused.metadata.name} is paused: its addons go on without the annotation cluster.x-k8s.io/paused${paused === live ? " and spec.paused" : ""}`
  );
}

/** The reason of addons that wait to be asked, which is what happens here. */
const UNASKED = "HookServerUnresponsive";

const askedAddon = ({ spec, status, metadata }: Addon): AskedAddon => ({
  clusterStack: spec?.clusterStack,
  asked: askedIn(metadata.annotations),
  target: status?.target,
  stages: (status?.stages ?? []).map(({ name = "", phase = "Pending" }) => ({ name, phase })),
  message: status?.conditions?.find(({ type, reason }) => type === "Ready" && reason !== UNASKED)?.message,
});

/** Both in one write: which hook is served, and for what it was asked. */
const stored = (asked: Asked, world: AskedWorld, addon: Addon | undefined) =>
  addon !== undefined && isToBeStored(asked, world)
    ? patch(ClusterAddon, addon, {
        engine: { hook: servedHook(asked, world) },
        annotations: { [ASKED_ANNOTATION]: askedText(asked) },
      })
    : undefined;
