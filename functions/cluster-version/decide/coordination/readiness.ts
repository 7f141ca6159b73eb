import { compareVersions, parseVersion } from "../../../../shared/versions.ts";
import { atVersion, done, statusOf } from "../../status/index.ts";
import { type Dependency, type Operator, wanted } from "./dependency.ts";

/** A dependency's readiness, and the reason where it is not met. */
export interface Readiness {
  readonly ready: boolean;
  /** `Ready`, `OperatorMissing`, `VersionMissing`, `VersionNotComparable`, `OtherVersion` or `NotDone`. */
  readonly reason: string;
  readonly message: string;
}

/**
 * True where an operator is at the version and done, seen in one read of it: a version without done, or done without the version,
 * is not ready, so a status that is written in two steps is never taken for an arrival.
 */
export function readiness(dependency: Dependency, operator: Operator | undefined): Readiness {
  const no = (reason: string, message: string): Readiness => ({ ready: false, reason, message });
  const { operand = "operator", version } = dependency;
  const name = dependency.operator;
  if (operator === undefined) return no("OperatorMissing", `Cluster operator ${name} does not exist`);
  const published = operator.status?.versions?.find((entry) => entry.name === operand)?.version;
  if (published === undefined)
    return no("VersionMissing", `Cluster operator ${name} publishes no version of ${operand}`);
  if (!arrived(dependency, operator, published))
    return comparable(dependency, published)
      ? no("OtherVersion", `Cluster operator ${name} is at ${operand} ${published}, not at ${version}`)
      : no(
          "VersionNotComparable",
          `Versions ${published} and ${version} of ${operand} of cluster operator ${name} are not both semantic versions`,
        );
  if (!done(operator))
    return no("NotDone", `Cluster operator ${name} is at ${operand} ${published}, but ${undone(operator)}`);
  return {
    ready: true,
    reason: "Ready",
    message: `Cluster operator ${name} is done at ${operand} ${published}`,
  };
}

const comparable = ({ comparison, version }: Dependency, published: string): boolean =>
  comparison !== "AtLeast" || (parseVersion(published) !== undefined && parseVersion(version) !== undefined);

function arrived(
  { comparison, operand = "operator", version }: Dependency,
  operator: Operator,
  published: string,
): boolean {
  if (comparison !== "AtLeast") return atVersion(operator, operand, version);
  const [at, least] = [parseVersion(published), parseVersion(version)];
  return at !== undefined && least !== undefined && compareVersions(at, least) >= 0;
}

/** `Progressing is True and Degraded is Unknown`. */
function undone({ status }: Operator): string {
  const expected = { Available: "True", Progressing: "False", Degraded: "False" };
  return Object.entries(expected)
    .map(([type, good]) => ({ type, good, said: statusOf(status?.conditions, type) ?? "missing" }))
    .filter(({ good, said }) => said !== good)
    .map(({ type, said }) => `${type} is ${said}`)
    .join(" and ");
}

/** The answer about a set of operators: which are not there yet, and why. */
export interface GroupReadiness {
  readonly ready: boolean;
  readonly missing: readonly { readonly operator: string; readonly message: string }[];
}

/** True where all of these are met, each on one read of its operator: "is the control plane at V". An empty set is ready. */
export function groupReadiness(
  dependencies: readonly Dependency[],
  operators: ReadonlyMap<string, Operator>,
): GroupReadiness {
  const missing = dependencies.flatMap((dependency) => {
    const { ready, message } = readiness(dependency, operators.get(dependency.operator));
    return ready ? [] : [{ operator: wanted(dependency), message }];
  });
  return { ready: missing.length === 0, missing };
}
