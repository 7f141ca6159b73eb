import { dashedText, dashedVersion, dottedText, dottedVersion, type StackVersion } from "./version.ts";

/** The stack that a release belongs to. */
export interface StackName {
  readonly provider: string;
  readonly name: string;
  /** The minor version of Kubernetes: `1.30`. */
  readonly kubernetes: string;
}

/** A release, parsed once: whatever compares releases compares these, since tags and classes are spelled differently. */
export interface ReleaseName extends StackName {
  readonly version: StackVersion;
}

const FOUR_PARTS = /^([^-]+)-([^-]+)-(\d+)-(\d+)-(v.+)$/;

function parsed(
  text: string,
  versionOf: (text: string) => StackVersion | undefined,
): ReleaseName | undefined {
  const [, provider, name, major, minor, rest] = FOUR_PARTS.exec(text) ?? [];
  if (provider === undefined || name === undefined || rest === undefined) return undefined;
  const version = versionOf(rest);
  return version && { provider, name, kubernetes: `${major}.${minor}`, version };
}

/** Reads the name of a release: `docker-ferrol-1-27-v0-sha-a1b2c3d`. Undefined: it is none. */
export const releaseOfTag = (tag: string): ReleaseName | undefined => parsed(tag, dashedVersion);
/** Reads the name of a ClusterClass: `docker-ferrol-1-27-v0-sha.a1b2c3d`. Undefined: the class is of no stack. */
export const releaseOfClass = (name: string): ReleaseName | undefined => parsed(name, dottedVersion);

/** The first four parts of a stack's names: `docker-ferrol-1-27`. */
export const stemOf = ({ provider, name, kubernetes }: StackName): string =>
  `${provider}-${name}-${kubernetes.replace(".", "-")}`;
/** The name of the release: of its tag and of its object. */
export const tagOf = (release: ReleaseName): string => `${stemOf(release)}-${dashedText(release.version)}`;
/** The name of its ClusterClass. */
export const classOf = (release: ReleaseName): string => `${stemOf(release)}-${dottedText(release.version)}`;

/** True for releases of one stack. */
export const sameStack = (one: StackName, other: StackName): boolean =>
  one.provider === other.provider && one.name === other.name && one.kubernetes === other.kubernetes;
/** True for one release, however it was written. */
export const sameRelease = (one: ReleaseName, other: ReleaseName): boolean => tagOf(one) === tagOf(other);
