import type { AnyObject, Wait } from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import {
  type AddonStatus,
  type AddonTarget,
  ClusterStackRelease,
  isPausedCluster,
} from "../../kinds/index.ts";
import type { Assets } from "../assets/index.ts";
import { dashedText, type ReleaseName, releaseOfClass, sameStack, tagOf } from "../names/index.ts";
import { type ClusterOfClass, classPlace } from "../usage/index.ts";

/** The class that a Cluster asks for, of a stack. */
export interface WantedClass {
  readonly class: string;
  readonly release: ReleaseName;
  /** The name and namespace of the release's object. */
  readonly tag: string;
  readonly namespace: string;
}

/** The class that a Cluster asks for; undefined where it is of no stack. */
export function wantedClass({ metadata, spec }: ClusterOfClass): WantedClass | undefined {
  const place = classPlace(spec?.topology, metadata.namespace);
  const release = place && releaseOfClass(place.name);
  return place && release && { class: place.name, release, tag: tagOf(release), namespace: place.namespace };
}

/** The wait for a change of the class's release, or for the release itself. */
export const releaseWait = ({ tag, namespace }: WantedClass): Wait => ({
  for: `ClusterStackRelease ${tag}`,
  object: {
    apiVersion: apiVersionOf(ClusterStackRelease),
    kind: ClusterStackRelease.kind,
    name: tag,
    namespace,
  },
});

/** A ClusterAddon, as far as it has stored its work. */
export interface StoredAddon {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec?:
    | { readonly clusterStack?: string | undefined; readonly version?: string | undefined }
    | undefined;
  readonly status?: AddonStatus | undefined;
}

/** True where all stages of the stored target are done, and the spec says so; the Cluster may want another class by now. */
export function isCompleted({ spec, status }: StoredAddon): boolean {
  const { target, stages = [] } = status ?? {};
  return (
    target !== undefined &&
    spec?.clusterStack === target.clusterStack &&
    stages.every(({ phase }) => phase === "done")
  );
}

/**
 * True where the addons of this class stand, and nothing is left to do. What upstream's operator completed counts too.
 * @param digest the content of the release, where that is known
 */
export function isDoneFor(self: StoredAddon, wanted: WantedClass, digest: string | undefined): boolean {
  const { target, ready } = self.status ?? {};
  if (target === undefined) return ready === true && self.spec?.clusterStack === wanted.class;
  return (
    ready === true &&
    isCompleted(self) &&
    target.clusterStack === wanted.class &&
    target.namespace === wanted.namespace &&
    (digest === undefined || target.digest === digest)
  );
}

/**
 * The work that leads to a class: the stored one as long as it is the same, also once it is done and only the status is to say so.
 * @param hook the moment of Cluster API whose stages these are
 */
export function targetFor(
  self: StoredAddon,
  { class: clusterStack, namespace }: WantedClass,
  { digest, metadata }: Pick<Assets, "digest" | "metadata">,
  hook?: string,
): AddonTarget {
  const from = completedOf(self);
  const stored = self.status?.target;
  const target = {
    ...{ clusterStack, namespace, digest },
    version: dashedText(metadata.addon),
    kubernetesVersion: metadata.kubernetes,
    ...(hook !== undefined && { hook }),
    ...(from !== undefined && { from }),
  };
  return stored !== undefined && isSameTarget(stored, target) ? stored : target;
}

/** The work that was completed last: an abandoned target leaves it as it was. */
export function completedOf(self: StoredAddon): AddonTarget["from"] {
  const { target } = self.status ?? {};
  if (target !== undefined && !isCompleted(self)) return target.from;
  const clusterStack = target?.clusterStack ?? self.spec?.clusterStack;
  if (!clusterStack) return undefined;
  return { clusterStack, ...(target !== undefined && { kubernetesVersion: target.kubernetesVersion }) };
}

/**
 * True for the first work after another program's: what that one installed was completed, and nobody knows for which version of Kubernetes.
 * Its objects were applied in the name of that program.
 */
export const isAfterAnothers = ({ from }: AddonTarget): boolean =>
  from !== undefined && from.kubernetesVersion === undefined;

/** True for the same work: what has begun of it goes on. */
export const isSameTarget = (one: AddonTarget | undefined, other: AddonTarget): boolean =>
  one !== undefined &&
  one.clusterStack === other.clusterStack &&
  one.namespace === other.namespace &&
  one.digest === other.digest &&
  one.hook === other.hook;

/** True where these very addons stand already: the version of two releases of one stack is the same, and nothing was begun since. */
export function hasTheseAddons(
  self: StoredAddon,
  { release, class: name }: WantedClass,
  { metadata }: Pick<Assets, "metadata">,
): boolean {
  const { target, stages = [] } = self.status ?? {};
  // Work for this very class: it was found to need no stage, or goes on with those that it has.
  if (target?.clusterStack === name) return isCompleted(self) && stages.length === 0;
  const { clusterStack = "", version } = self.spec ?? {};
  const installed = releaseOfClass(clusterStack);
  const isWhole = self.status?.target === undefined ? self.status?.ready === true : isCompleted(self);
  return (
    isWhole &&
    installed !== undefined &&
    sameStack(installed, release) &&
    version === dashedText(metadata.addon)
  );
}

/** True for a Cluster whose addons are left as they are: it is paused, or on its way out. */
export const isLeftAlone = (cluster: AnyObject): boolean =>
  isPausedCluster(cluster) || cluster.metadata.deletionTimestamp !== undefined;
