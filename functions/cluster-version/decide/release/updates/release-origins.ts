import type { ReleasePublished } from "../../../../../events/index.ts";
import type { ClusterVersion } from "../../../kinds/index.ts";
import { isTheClusterVersion } from "../the-cluster-version.ts";

/** Annotation of a ClusterVersion: whose releases, beside those of its own images and its update service, change what is offered. */
export const RELEASE_ORIGINS = "reveille.dev/release-origins";

type View = Pick<ClusterVersion, "metadata" | "spec" | "status">;

/**
 * True where a release may change the offers: one of the repository that its releases come from, one that its update service
 * tells itself, or one of an origin that its administrator names.
 */
export function changesOffers(
  clusterVersion: View,
  { origin }: Pick<ReleasePublished["data"], "origin">,
): boolean {
  const told = origin.toLowerCase();
  return (
    isTheClusterVersion(clusterVersion) && originsOf(clusterVersion).some((one) => one.toLowerCase() === told)
  );
}

const originsOf = ({ metadata, spec, status }: View): readonly string[] => [
  ...[status?.desired.image, spec.desiredUpdate?.image].flatMap((image) =>
    image ? repositoryOf(image) : [],
  ),
  ...(spec.upstream ? placeOf(spec.upstream) : []),
  ...(metadata.annotations[RELEASE_ORIGINS]?.split(",").flatMap((one) => one.trim() || []) ?? []),
];

/** A pull spec without its tag and digest; a colon before the last slash belongs to the registry's port. */
const repositoryOf = (image: string): string => image.replace(/@.*$/, "").replace(/:[^/]*$/, "");

/** A service's URL as origins are written: host and path. */
function placeOf(upstream: string): readonly string[] {
  const url = URL.parse(upstream);
  return url === null ? [] : [`${url.host}${url.pathname}`.replace(/\/$/, "")];
}

/**
 * True where a release is the one that is asked for: its payload can be had from now on, or is another one. An image is named by
 * tag or digest, or by the version of an update that is offered.
 */
export function isAskedFor(
  clusterVersion: View,
  { origin, version, digest }: ReleasePublished["data"],
): boolean {
  const { spec, status } = clusterVersion;
  const asked = spec.desiredUpdate;
  if (asked === undefined || !isTheClusterVersion(clusterVersion)) return false;
  const offered = [
    ...(status?.availableUpdates ?? []),
    ...(status?.conditionalUpdates ?? []).map(({ release }) => release),
  ].flatMap((one) => (asked.version && one.version === asked.version ? one.image : []));
  const published = [`${origin}:${version}`, ...(digest === undefined ? [] : [`${origin}@${digest}`])];
  return [asked.image ?? "", ...offered].some((image) => published.includes(image));
}
