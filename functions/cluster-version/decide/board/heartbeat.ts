import { since, type Time } from "../../../../shared/function/index.ts";
import type { BoardOperator } from "./board.ts";

/** The part of a Lease that is read. */
export interface HeartbeatLease {
  readonly metadata: { readonly namespace?: string | undefined; readonly name: string };
  readonly spec?: { readonly renewTime?: Time | null | undefined } | undefined;
}

/** The place of an operator's heartbeat. */
export interface LeasePlace {
  readonly namespace: string;
  readonly name: string;
}

/** The Leases that an operator names among its related objects: whoever runs it renews them. Most name none. */
export const heartbeatsOf = ({ status }: BoardOperator): readonly LeasePlace[] =>
  (status?.relatedObjects ?? []).flatMap(({ group, resource, namespace, name }) =>
    group === "coordination.k8s.io" && resource === "leases" && namespace !== undefined && name !== ""
      ? [{ namespace, name }]
      : [],
  );

/**
 * The operators whose Leases have all not been renewed for longer than `limitMilliseconds`, with the time of the last renewal. One
 * that names no Lease is never silent, and neither is one whose Leases nobody ever held. No gate asks this: what an operator
 * wrote counts until somebody writes something else.
 */
export function silentOperators(
  operators: readonly BoardOperator[],
  leases: readonly HeartbeatLease[],
  limitMilliseconds: number,
  now: Time,
): ReadonlyMap<string, Time> {
  const renewed = new Map(
    leases.flatMap(({ metadata: { namespace, name }, spec }) =>
      spec?.renewTime == null ? [] : [[`${namespace}/${name}`, spec.renewTime] as const],
    ),
  );
  return new Map(
    operators.flatMap((operator) => {
      const last = heartbeatsOf(operator)
        .flatMap(({ namespace, name }) => renewed.get(`${namespace}/${name}`) ?? [])
        .sort((one, other) => since(one, other))
        .at(0);
      return last !== undefined && since(last, now) > limitMilliseconds
        ? [[operator.metadata.name, last] as const]
        : [];
    }),
  );
}
