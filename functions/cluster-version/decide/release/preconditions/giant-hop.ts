import { endsOf, type Finding, type Move } from "./finding.ts";

const NAME = "ClusterVersionGiantHop";

/**
 * Objects to more than one minor version at a time, and to another major version. From 4 to 5.0 is let through, as upstream does
 * for now.
 */
export function giantHop(move: Move): Finding | undefined {
  const ends = endsOf(NAME, move);
  if ("reason" in ends) return ends;
  const { current, target } = ends;
  const blocked = (reason: string, message: string): Finding => ({
    name: NAME,
    reason,
    message,
    warning: false,
  });
  if (target.major > current.major) {
    const toFive = current.major === 4 && target.major === 5;
    if (toFive && target.minor === 0) return undefined;
    return blocked(
      "MajorVersionUpdate",
      `${target.text} has a larger major version than the current target ${current.text} (${target.major} > ${current.major}), and only updates within the current major version ${toFive ? "or to 5.0 " : ""}are supported.`,
    );
  }
  if (target.minor > current.minor + 1)
    return blocked(
      "MultipleMinorVersionsUpdate",
      `${target.text} is more than one minor version beyond the current target ${current.text} (${target.major}.${target.minor} > ${current.major}.(${current.minor}+1)), and only updates within the current minor version or to the next minor version are supported.`,
    );
  return undefined;
}
