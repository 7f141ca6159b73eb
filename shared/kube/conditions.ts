import { type Time, toWholeSeconds } from "../clock/time.ts";
import { sameJson } from "../json/same-json.ts";

/** The status of a condition. Any other word that stands in an object counts as Unknown. */
export type ConditionStatus = "True" | "False" | "Unknown";

/** One condition of a status, as every Kubernetes kind has them. */
export interface Condition<T extends string = string> {
  readonly type: T;
  readonly status: ConditionStatus;
  /** One CamelCase word for programs. `AsExpected` where all is well. */
  readonly reason?: string | undefined;
  /** For people: begins with a capital, may hold line feeds. */
  readonly message?: string | undefined;
  /** The time of the last change of `status`; a new reason or message does not move it, unless its kind has it so. */
  readonly lastTransitionTime: Time;
}

/** A condition as an author gives it: all but the time, which follows from the flips of its status. */
export type ConditionVerdict<T extends string = string> = Omit<Condition<T>, "lastTransitionTime">;

/** The least that is read of a condition: other kinds' conditions fit as well. */
export interface Stated {
  readonly type: string;
  readonly status: string;
}
type Conditions<C> = readonly C[] | undefined;

/** The first condition of that type, or undefined. */
export const findCondition = <C extends Stated>(conditions: Conditions<C>, type: C["type"]): C | undefined =>
  conditions?.find((condition) => condition.type === type);

/** The status of that type as a reader must take it: Unknown for an unknown word, undefined where there is none. */
export function statusOf(conditions: Conditions<Stated>, type: string): ConditionStatus | undefined {
  const status = findCondition(conditions, type)?.status;
  return status === undefined || status === "True" || status === "False" ? status : "Unknown";
}

/** True where that condition is there and has that status. An absent one equals nothing, not even Unknown. */
export const conditionEquals = (
  conditions: Conditions<Stated>,
  type: string,
  status: ConditionStatus,
): boolean => statusOf(conditions, type) === status;

/** True where that condition is there and True. */
export const isTrue = (conditions: Conditions<Stated>, type: string): boolean =>
  conditionEquals(conditions, type, "True");

/** True where that condition is there and False. */
export const isFalse = (conditions: Conditions<Stated>, type: string): boolean =>
  conditionEquals(conditions, type, "False");

/** A verdict on a condition of that type. */
type VerdictOf<C extends Condition> = Omit<C, "lastTransitionTime"> & ConditionVerdict<C["type"]>;

/** True where both say the same; an absent text and an empty one are the same. */
const sameWords = (one: Condition, other: Condition): boolean =>
  sameJson({ ...one, ...texts(one) }, { ...other, ...texts(other) });
const texts = ({ reason = "", message = "" }: Condition): Pick<Condition, "reason" | "message"> => ({
  reason,
  message,
});

/** The rule by which a condition's time moves. */
export interface TransitionRule {
  /** `status`: where the status differs, as Kubernetes has it. `any`: with each difference, as Cluster API's first kinds have it. */
  readonly moves: "status" | "any";
}
const BY_STATUS: TransitionRule = { moves: "status" };

/**
 * The conditions with this one set. A new type is appended and stamped `now`; of one that is there, reason and message
 * are overwritten, and its time moves to `now` only where the status differs, or by `rule`. Order and content of all others stay.
 * Where nothing changes, the same list comes back.
 */
export function setCondition<C extends Condition>(
  conditions: Conditions<C>,
  verdict: VerdictOf<NoInfer<C>>,
  now: Time,
  rule: TransitionRule = BY_STATUS,
): readonly C[] {
  const stored = findCondition(conditions, verdict.type);
  // Whatever time its author brought along does not count.
  const lastTransitionTime =
    stored?.status === verdict.status ? stored.lastTransitionTime : toWholeSeconds(now);
  const said = { ...verdict, lastTransitionTime } as C;
  if (conditions === undefined || stored === undefined) return [...(conditions ?? []), said];
  // What the verdict leaves out of these two goes; fields that this library does not know stay.
  const { reason: _reason, message: _message, ...rest } = stored;
  const next = { ...rest, ...said } as C;
  if (sameWords(stored, next)) return conditions;
  const moved = rule.moves === "any" ? { ...next, lastTransitionTime: toWholeSeconds(now) } : next;
  return conditions.map((each) => (each === stored ? moved : each));
}

/** The conditions with each of these set, in their order, by the same rule: see `setCondition`. */
export const setConditions = <C extends Condition>(
  conditions: Conditions<C>,
  verdicts: readonly VerdictOf<NoInfer<C>>[],
  now: Time,
  rule: TransitionRule = BY_STATUS,
): readonly C[] =>
  verdicts.reduce<readonly C[]>((set, verdict) => setCondition(set, verdict, now, rule), conditions ?? []);

/** The conditions without those of that type, in the same order; the same list where there is none. */
export const removeCondition = <C extends Stated>(conditions: readonly C[], type: C["type"]): readonly C[] =>
  conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
