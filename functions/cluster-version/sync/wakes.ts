import type { Said } from "../../../shared/function/index.ts";
import type { ClusterOperator } from "../kinds/index.ts";
import { ADMIN_ACKS, ADMIN_GATES } from "../target/admin-config-maps.ts";

/** Whether a step of a ClusterOperator may open or close a gate, or decide whether another release is taken. */
export const concernsGates = ({ was, gone, ...is }: Said<typeof ClusterOperator>): boolean =>
  gone ||
  was === undefined ||
  was.available !== is.available ||
  was.degraded !== is.degraded ||
  was.upgradeable !== is.upgradeable ||
  JSON.stringify(was.versions) !== JSON.stringify(is.versions);

/** What administrators must acknowledge before another minor version, and what they have acknowledged. */
export const SOURCES = { gates: ADMIN_GATES, acks: ADMIN_ACKS } as const;
export const isSource = ({
  name,
  namespace,
}: {
  readonly name: string;
  readonly namespace: string;
}): boolean =>
  Object.values(SOURCES).some((source) => source.name === name && source.namespace === namespace);
