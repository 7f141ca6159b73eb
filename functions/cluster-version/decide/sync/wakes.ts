import type { Said } from "../../../../shared/function/index.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import type { ClusterOperator, ClusterVersion } from "../../kinds/index.ts";
import { ADMIN_ACKS, ADMIN_GATES } from "../release/admin-config-maps.ts";
import { CLUSTER_VERSION } from "../release/the-cluster-version.ts";

/** True where a step of a ClusterOperator may open or close a gate, or decide whether another release is taken. */
export const concernsGates = ({ was, gone, ...is }: Said<typeof ClusterOperator>): boolean =>
  gone ||
  was === undefined ||
  was.available !== is.available ||
  was.degraded !== is.degraded ||
  was.upgradeable !== is.upgradeable ||
  JSON.stringify(was.versions) !== JSON.stringify(is.versions);

/**
 * True where the sync has to look at once. While it only keeps to a release it does not: its next turn, a few minutes later, sees
 * the operator's words by then (4.6). One that is gone is made again.
 */
export const looksAtOnce = (
  { status }: Pick<ClusterVersion, "status">,
  { gone }: Pick<Said<typeof ClusterOperator>, "gone">,
): boolean => {
  const says = (type: string): string | undefined =>
    status?.conditions?.find((condition) => condition.type === type)?.status;
  return (
    gone ||
    status?.history?.[0]?.state !== "Completed" ||
    says("Failing") !== "False" ||
    says("ReleaseAccepted") !== "True"
  );
};

/**
 * The ConfigMaps with the gates that administrators must acknowledge before another minor version, and with their
 * acknowledgements.
 */
export const SOURCES = { gates: ADMIN_GATES, acks: ADMIN_ACKS } as const;
export const isSource = ({
  name,
  namespace,
}: {
  readonly name: string;
  readonly namespace: string;
}): boolean =>
  Object.values(SOURCES).some((source) => source.name === name && source.namespace === namespace);

/** The object of each of the cluster's settings that counts. */
export const SETTINGS = { name: "cluster" } as const;
export const settingsMeant = ({ name }: { readonly name: string }) =>
  name === SETTINGS.name ? { name: CLUSTER_VERSION } : undefined;

/** The result of a read, or undefined where the server does not know the kind: most clusters have none of these settings. */
export async function whereKnown<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KubeError && error.kind === "kindMissing") return undefined;
    throw error;
  }
}
