import type { Time } from "../../../shared/clock/time.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import { type Condition, removeCondition, setConditions } from "../../../shared/kube/conditions.ts";
import { StatusError } from "./errors.ts";
import type { OperatorReport, OperatorStatus } from "./operator-status.ts";
import { refuseSecrets } from "./secrets.ts";

/**
 * The status to store for an operator's report: one snapshot, in which conditions and versions hold together. Parts that the report
 * does not name stay, fields that this library does not know included; no time moves without a flip. Where nothing
 * changes, `stored` itself comes back: then do not write.
 *
 * @example
 * ```ts
 * import { type OperatorStatus, report } from "reveille/status";
 *
 * export const allIsWell = (stored: OperatorStatus | undefined, now: string) =>
 *   report(
 *     stored,
 *     {
 *       conditions: [
 *         { type: "Available", status: "True", reason: "AsExpected" },
 *         { type: "Progressing", status: "False", reason: "AsExpected" },
 *         { type: "Degraded", status: "False", reason: "AsExpected" },
 *       ],
 *     },
 *     now,
 *   );
 * ```
 *
 * @throws StatusError STATUS_SECRET where it seems to hold a secret; STATUS_UNEXPLAINED for an Upgradeable=False without a message.
 */
export function report<S extends OperatorStatus = OperatorStatus>(
  stored: S | undefined,
  says: OperatorReport,
  now: Time,
): S {
  const conditions = (says.remove ?? []).reduce<readonly Condition[]>(
    removeCondition,
    setConditions<Condition>(stored?.conditions, says.conditions, now),
  );
  const next = {
    ...stored,
    ...(conditions !== stored?.conditions && (conditions.length > 0 || stored?.conditions !== undefined)
      ? { conditions }
      : {}),
    ...changedPart("versions", stored?.versions, says.versions),
    ...changedPart("relatedObjects", stored?.relatedObjects, says.relatedObjects),
    ...changedPart("extension", stored?.extension, says.extension),
  } as S;
  refuseUnexplained(says);
  refuseSecrets(next);
  return stored !== undefined && sameJson(stored, next) ? stored : next;
}

/** The part where it is said and means something else than what is stored. Absent and empty are the same list. */
function changedPart(name: string, stored: unknown, said: unknown): Readonly<Record<string, unknown>> {
  if (said === undefined) return {};
  const bothEmpty = Array.isArray(said) && said.length === 0 && stored === undefined;
  return bothEmpty || (stored !== undefined && sameJson(stored, said)) ? {} : { [name]: said };
}

/** An administrator who is told only that an update is blocked cannot do anything about it. */
function refuseUnexplained({ conditions }: OperatorReport): void {
  const silent = conditions.find(
    ({ type, status, message }) =>
      type === "Upgradeable" && status === "False" && (message ?? "").trim() === "",
  );
  if (silent !== undefined)
    throw new StatusError(
      "STATUS_UNEXPLAINED",
      "Upgradeable=False blocks updates, so its message must say what an administrator has to do. Give it one.",
    );
}
