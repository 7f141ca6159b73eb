import type { ReleaseName } from "../names/index.ts";

/** The class and the version that a Cluster asks for. */
export interface ClusterWish {
  /** Undefined: its class is of no stack, or it has none. */
  readonly release: ReleaseName | undefined;
  /** Empty: it says none. */
  readonly version: string;
}
/** The answer to a Cluster that is created or changed. */
export type ClusterAnswer =
  | { readonly allow: true; readonly warning?: string; readonly version?: string }
  | { readonly allow: false; readonly message: string };

const YES: ClusterAnswer = { allow: true };

const minorOf = ({ kubernetes }: ReleaseName): readonly [major: number, minor: number] => {
  const [major = 0, minor = 0] = kubernetes.split(".").map(Number);
  return [major, minor];
};

/**
 * Decides whether a Cluster may ask for a class and a version.
 *
 * @param known the version of Kubernetes that the class's release has; undefined: nobody knows it yet
 */
export function admitCluster(
  wish: ClusterWish,
  className: string,
  known: string | undefined,
  old: ClusterWish | undefined,
): ClusterAnswer {
  const { release, version } = wish;
  if (release === undefined) return YES;
  if (known === undefined)
    return {
      allow: true,
      warning: `nobody knows yet which version of Kubernetes ${className} is for: its ClusterStackRelease is not there, or not read`,
    };
  const refusal = old?.release === undefined ? undefined : moveRefusal(old.release, release);
  if (refusal !== undefined) return { allow: false, message: refusal };
  if (version === "") return { allow: true, version: known };
  return version === known
    ? YES
    : { allow: false, message: `spec.topology.version is ${version}: ${className} is for ${known}` };
}

/** The reason why a Cluster may not go from one release to another. */
function moveRefusal(old: ReleaseName, release: ReleaseName): string | undefined {
  for (const field of ["provider", "name"] as const)
    if (old[field] !== release[field])
      return `a Cluster keeps the ${field} of its cluster stack: it is ${old[field]}, and the new class has ${release[field]}`;
  const [[oldMajor, oldMinor], [major, minor]] = [minorOf(old), minorOf(release)];
  if (major === oldMajor && (minor === oldMinor || minor === oldMinor + 1)) return undefined;
  return `a Cluster goes from ${old.kubernetes} to the next minor version of Kubernetes or stays, and the new class is for ${release.kubernetes}`;
}
