import { isDeleting } from "../../../shared/kube/objects.ts";
import { table } from "../../../shared/text.ts";
import { LABELS } from "../kinds/index.ts";
import { type AKyma, AWAY, noKyma } from "./read.ts";

/** One runtime, as the statuses at home tell of it. */
export interface ListedRuntime {
  readonly namespace: string;
  readonly kyma: string;
  readonly runtimeId: string | undefined;
  readonly state: string | undefined;
  /** True where it answers; undefined: nobody has asked yet. */
  readonly reachable: boolean | undefined;
  /** True where the program in it tells of its changes; undefined: nobody knows. */
  readonly watched: boolean | undefined;
  /** The conditions that are not met, with what they say. */
  readonly unmet: readonly string[];
}

/** The runtimes of Kymas. Pure. */
export const listedRuntimes = (kymas: readonly AKyma[]): readonly ListedRuntime[] =>
  kymas.map((kyma) => {
    const { metadata, status } = kyma;
    const found = new Map<string, "True" | "False" | "Unknown">(
      status?.conditions?.map((condition) => [condition.type, condition.status]),
    );
    const holds = (type: string): boolean | undefined => {
      const value = found.get(type);
      return value === undefined || value === "Unknown" ? undefined : value === "True";
    };
    return {
      namespace: metadata.namespace,
      kyma: metadata.name,
      runtimeId: metadata.labels[LABELS.runtimeId],
      state: status?.state,
      reachable: isDeleting(kyma) ? answersStill(kyma) : holds("Reachable"),
      watched: found.has("Watch") ? holds("Watch") : holds("SKRWebhook"),
      unmet: isDeleting(kyma)
        ? [status?.lastOperation?.operation ?? "Its deletion has not begun yet."]
        : (status?.conditions ?? []).flatMap(({ type, status: value, message, reason }) =>
            value === "True" ? [] : [`${type}: ${message || reason}`],
          ),
    };
  });

/** The answer that the deletion of a Kyma tells of: nobody sets the condition of one that goes. */
const answersStill = ({ status }: AKyma): false | undefined =>
  status?.lastOperation?.operation.startsWith(AWAY) === true ? false : undefined;

/** The runtimes as a table, those that lack something with what it is. */
export function runtimesText(runtimes: readonly ListedRuntime[], asked: string): string {
  if (runtimes.length === 0) return noKyma(asked);
  return table(
    ["namespace", "kyma", "runtime", "state", "reachable", "watched", "what is unmet"],
    runtimes.map(({ namespace, kyma, runtimeId, state, reachable, watched, unmet }) => [
      namespace,
      kyma,
      runtimeId,
      state || "not looked at yet",
      word(reachable),
      word(watched),
      unmet.join("; "),
    ]),
  );
}
const word = (holds: boolean | undefined): string => (holds === undefined ? "unknown" : holds ? "yes" : "no");
