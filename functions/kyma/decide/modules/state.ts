import { type Time, toWholeSeconds } from "../../../../shared/function/index.ts";
import { findCondition } from "../../../../shared/kube/conditions.ts";
import type { KymaConditionType, KymaStatus, ModuleStatus, State } from "../../kinds/index.ts";
import {
  conditionsOf,
  good,
  isStopped,
  type KymaCondition,
  lacking,
  type Verdict,
} from "../conditions/index.ts";
import type { Effective } from "../policy/index.ts";
import { joined, remarksOn } from "./module-status.ts";
import type { MandatoryState } from "./plan.ts";

/** The word of others on a Kyma: of its runtime, and of the copy of its catalog. */
interface Others {
  readonly state: "Error" | "Processing" | undefined;
  readonly message: string | undefined;
}

/** The part of a Kyma's status that follows from its modules. */
export type ModulesStatus = Pick<KymaStatus, "state" | "activeChannel" | "modules" | "lastOperation"> & {
  readonly conditions: KymaCondition<(typeof OWN_CONDITIONS)[number]>[];
};
/** The conditions that follow from modules. */
export const OWN_CONDITIONS = ["Modules", "MandatoryModules"] as const;

/** The modules of a Kyma, after what was done for them. */
interface Modules {
  readonly shown: readonly ModuleStatus[];
  /** The modules that each cluster gets: they count for nothing but a condition. */
  readonly mandatory: readonly MandatoryState[];
}

/**
 * The status of a Kyma: the worst of its modules, of what its user wrote in vain, and of the conditions that others set.
 * @param needed the types of these conditions
 */
export function kymaStatus(
  stored: KymaStatus | undefined,
  { shown: modules, mandatory }: Modules,
  effective: Effective,
  needed: readonly KymaConditionType[],
  now: Time,
): ModulesStatus {
  const others = othersOf(stored, needed);
  const { rejections, overrides } = remarksOn(undefined, effective);
  const state = worst(modules, others, rejections.length > 0);
  const unready = unreadyOf(modules);
  const isActive = state === "Ready" || state === "Warning";
  const message = [...rejections, ...overrides].join(" ");
  const activeChannel = isActive ? effective.channel : stored?.activeChannel;
  return {
    state,
    ...(activeChannel !== undefined && { activeChannel }),
    ...(modules.length > 0 && { modules: [...modules] }),
    lastOperation: lastOperation(stored, operationOf(state, unready, others, rejections), now),
    conditions: ownConditions(stored, { shown: modules, mandatory }, message, now),
  };
}

/**
 * The conditions that follow from modules.
 * @param message the words on the Kyma itself
 */
export function ownConditions(
  stored: KymaStatus | undefined,
  { shown, mandatory }: Modules,
  message: string,
  now: Time,
): ModulesStatus["conditions"] {
  const unready = unreadyOf(shown).map(shownName);
  const said =
    unready.length === 0
      ? good("Modules", message)
      : lacking("Modules", [`Not ready: ${unready.join(", ")}.`, message].join(" ").trim());
  // A verdict of before stays where its type is asked for: without such modules nothing is said of them any more.
  const types = OWN_CONDITIONS.filter((type) => type !== "MandatoryModules" || mandatory.length > 0);
  return conditionsOf(stored, types, [said, ...mandatoryVerdict(mandatory)], now);
}

/** A server accepts a module without a name. */
const shownName = ({ name }: ModuleStatus): string => name || "a module without a name";

const unreadyOf = (modules: readonly ModuleStatus[]): readonly ModuleStatus[] =>
  modules.filter(({ state }) => state !== "Ready" && state !== "Unmanaged");

/** The states of a module from the worst on. */
const FROM_THE_WORST: readonly State[] = ["Error", "Warning", "Deleting", "Processing"];

/** The verdict on the modules that each cluster gets: how many there are, and the worst of them. Without any there is none. */
function mandatoryVerdict(modules: readonly MandatoryState[]): readonly Verdict<"MandatoryModules">[] {
  if (modules.length === 0) return [];
  const left = modules.filter(({ state }) => state !== "Ready");
  const ready = `${modules.length - left.length} of ${modules.length} are Ready`;
  const [first] = left;
  if (first === undefined) return [good("MandatoryModules", `${ready}.`)];
  const worst = FROM_THE_WORST.flatMap((state) => left.find((one) => one.state === state) ?? [])[0] ?? first;
  const why = worst.message === undefined ? "" : ` ${worst.message}`;
  return [lacking("MandatoryModules", `${ready}: ${worst.name} is ${worst.state}.${why}`)];
}

function worst(modules: readonly ModuleStatus[], others: Others, warned: boolean): State {
  const has = (state: State): boolean => modules.some((module) => module.state === state);
  if (has("Error") || others.state === "Error") return "Error";
  if (has("Warning") || warned) return "Warning";
  const isDone = modules.every(({ state }) => state === "Ready" || state === "Unmanaged");
  return isDone && others.state === undefined ? "Ready" : "Processing";
}

/** The reasons of a runtime that does not answer with which time alone mends nothing. */
const WAITING = "WaitingForSecret";

function othersOf(stored: KymaStatus | undefined, needed: readonly KymaConditionType[]): Others {
  const left = needed.filter((type) => findCondition(stored?.conditions, type)?.status !== "True");
  const [first] = left;
  if (first === undefined) return { state: undefined, message: undefined };
  const reachable = findCondition(stored?.conditions, "Reachable");
  const isAway = reachable?.status === "False" && reachable.reason !== WAITING;
  const told = (type: KymaConditionType): string =>
    findCondition(stored?.conditions, type)?.message || `Waiting for ${left.join(", ")}.`;
  if (isAway) return { state: "Error", message: told(first) };
  const stopped = left.find((type) => isStopped(findCondition(stored?.conditions, type)));
  if (stopped !== undefined) return { state: "Error", message: told(stopped) };
  return { state: "Processing", message: told(first) };
}

function operationOf(
  state: State,
  unready: readonly ModuleStatus[],
  { message }: Others,
  rejections: readonly string[],
): string {
  if (state === "Ready") return "All modules are as they are to be.";
  const modules = unready.map((module) => `${shownName(module)} is ${module.state}`);
  return joined([
    ...(message === undefined ? [] : [message]),
    ...(modules.length > 0 ? [`${modules.join(", ")}.`] : []),
    ...rejections,
  ]);
}

/** The last operation of a status. Its time moves only with its text. */
export function lastOperation(
  stored: Pick<KymaStatus, "lastOperation"> | undefined,
  operation: string,
  now: Time,
): NonNullable<KymaStatus["lastOperation"]> {
  const before = stored?.lastOperation;
  return before?.operation === operation ? before : { operation, lastUpdateTime: toWholeSeconds(now) };
}
