import type { ClusterOperator } from "../../kinds/index.ts";
import type { Manifest } from "../payload/index.ts";
import { compareVersions, type Finding, parseVersion } from "../release/index.ts";

/** The release that the operators of a cluster tell of. */
export interface ShownRelease {
  readonly version: string;
  /** The operators that tell it, sorted. */
  readonly operators: readonly string[];
}

/**
 * The newest release that the cluster's operators tell of: those that the payload knows, since others may count as they like. Half-way
 * through an update it is the one that is moved to. Undefined where nobody tells one, as in a cluster that is going to be installed.
 */
export function shownRelease(
  operators: readonly ClusterOperator[],
  manifests: readonly Manifest[],
): ShownRelease | undefined {
  const own = new Set(
    manifests.flatMap(({ group, kind, name }) =>
      group === "config.openshift.io" && kind === "ClusterOperator" ? [name] : [],
    ),
  );
  const told = operators.flatMap(({ metadata: { name }, status }) => {
    const version = parseVersion(status?.versions?.find((one) => one.name === "operator")?.version);
    return version === undefined || !own.has(name) ? [] : [{ name, version }];
  });
  const [newest] = told.map(({ version }) => version).toSorted((one, other) => compareVersions(other, one));
  if (newest === undefined) return undefined;
  const operatorsAt = told.filter(({ version }) => compareVersions(version, newest) === 0);
  return { version: newest.text, operators: operatorsAt.map(({ name }) => name).toSorted() };
}

/** The objection to beginning with this release; none where the cluster is at no newer one. */
export function olderThanShown(version: string, shown: ShownRelease | undefined): readonly Finding[] {
  const [first, there] = [parseVersion(version), parseVersion(shown?.version)];
  if (shown === undefined || first === undefined || there === undefined) return [];
  if (compareVersions(first, there) >= 0) return [];
  return [
    {
      name: "ClusterVersionRollback",
      reason: "LowDesiredVersion",
      message: `${first.text} is older than ${there.text}, which the cluster operators ${shown.operators.join(", ")} tell of, and there is no history: set spec.desiredUpdate to the version and the image of the release that the cluster is at`,
      warning: false,
    },
  ];
}
