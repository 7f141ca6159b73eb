import { type Duration, milliseconds, type Time, timeOf } from "../../../../shared/function/index.ts";
import { isMetBy, type MaintenancePolicy, type Runtime } from "./policy.ts";
import { type Stretch, stretchesOf, type Window } from "./window.ts";

/** The time that must remain of a window for an upgrade to begin in it. */
export const MINIMUM: Duration = "20m";

/** The maintenance window of a runtime as it stands now. */
export type MaintenanceState =
  | { readonly state: "open"; readonly begin: Time; readonly end: Time }
  | {
      readonly state: "closed";
      readonly begin: Time;
      readonly end: Time;
      /** The first moment in it: at the beginning itself it is still closed. */
      readonly opensAt: Time;
    }
  /** No window opens; why, as the rest of a sentence. */
  | { readonly state: "none"; readonly why: string };

/** The maintenance window of a runtime: the first rule that it meets says which, the default where that has none left. */
export function maintenanceAt(
  now: Time,
  policy: MaintenancePolicy | undefined,
  runtime: Runtime,
  minimum: Duration = MINIMUM,
): MaintenanceState {
  if (policy === undefined) return { state: "none", why: "there is no maintenance policy" };
  const rule = policy.rules.find((one) => isMetBy(one, runtime));
  const moment = Date.parse(now);
  const least = milliseconds(minimum);
  const found =
    nextOf(rule?.windows ?? [], moment, least) ??
    nextOf(policy.defaultWindow === undefined ? [] : [policy.defaultWindow], moment, least);
  if (found === undefined) {
    const ofRule =
      rule === undefined
        ? "no rule of the maintenance policy concerns this runtime"
        : "the rule of the maintenance policy that concerns this runtime has no window left";
    const ofDefault =
      policy.defaultWindow === undefined ? "there is no default" : "its default is over, or too short";
    return { state: "none", why: `${ofRule}, and ${ofDefault}` };
  }
  const [begin, end] = [timeOf(found.begin), timeOf(found.end)];
  return found.begin < moment
    ? { state: "open", begin, end }
    : { state: "closed", begin, end, opensAt: timeOf(found.begin + 1) };
}

/** The stretch that is open, else the one that opens next. One of which too little remains is left out. */
const nextOf = (windows: readonly Window[], now: number, least: number): Stretch | undefined =>
  windows
    .flatMap((window) => stretchesOf(window, now))
    .filter(({ begin, end }) => end > now && end - Math.max(begin, now) >= least && end - begin > least)
    .sort((one, other) => one.begin - other.begin)[0];
