import type { ExecutionStatus, InstanceSpec } from "../../kinds/index.ts";
import { entryOf, type InstanceView, isTerminal, referenceText, sameVersion } from "../definition/index.ts";

/** An update of an Instance in the words of the table: what was, what shall be, and what that means. */
export interface Update {
  readonly where: string;
  readonly oldPlan: string;
  readonly newPlan: string;
  /** The new OperatorVersion, as its reference is printed. */
  readonly newVersion: string;
  /** The plan that changed parameters trigger; empty: none. */
  readonly triggered: string;
  readonly deleting: boolean;
  readonly hadPlan: boolean;
  readonly upgrade: boolean;
  readonly force: boolean;
  /** The lock's run has ended, as the status tells. */
  readonly ended: boolean;
  /** The new lock says that its run is given up, or has ended. */
  readonly terminal: boolean;
  readonly newUid: boolean;
}

const planOf = (spec: InstanceSpec | undefined) => {
  const { planName = "", uid = "", status, force = false } = spec?.planExecution ?? {};
  const said: ExecutionStatus | undefined = status === "" ? undefined : status;
  return { plan: planName, uid, status: said, force };
};

/** The update in the words of the table. */
export function updateOf(old: InstanceView, next: InstanceView, triggered: string): Update {
  const [before, after] = [planOf(old.spec), planOf(next.spec)];
  const { namespace, name } = old.metadata;
  const entry = entryOf(old.status, before.plan);
  return {
    where: `${namespace}/${name}`,
    oldPlan: before.plan,
    newPlan: after.plan,
    newVersion: referenceText(next.spec?.operatorVersion),
    triggered,
    deleting: next.metadata.deletionTimestamp !== undefined,
    hadPlan: before.plan !== "",
    upgrade: !sameVersion(old.spec?.operatorVersion, next.spec?.operatorVersion, namespace),
    force: after.force,
    ended: entry?.uid === before.uid && isTerminal(entry.status),
    terminal: isTerminal(after.status),
    newUid: after.uid !== before.uid,
  };
}
