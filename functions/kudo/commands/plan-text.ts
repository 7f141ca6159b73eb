import type { Obj } from "../../../shared/kube/kind.ts";
import { type Branch, treeText } from "../../../shared/text.ts";
import type { Instance, OperatorVersion, PastRun, PlanStatus, Strategy } from "../kinds/index.ts";

/** The part of an Instance that is shown. */
export type ShownInstance = Pick<Obj<typeof Instance>, "metadata" | "spec" | "status">;
/** The part of an OperatorVersion that is shown. */
export type ShownVersion = Pick<Obj<typeof OperatorVersion>, "metadata" | "spec">;

const byName = <T>(map: Readonly<Record<string, T>> | null | undefined): readonly (readonly [string, T])[] =>
  Object.entries(map ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
const inBrackets = (message: string | undefined): string =>
  message === undefined || message === "" ? "" : ` (${message})`;
const inOrder = (strategy: Strategy | undefined): string => `(${strategy ?? "serial"} strategy)`;
/** `2026-01-05 10:00:04`, of UTC. */
const time = (text: string): string => text.slice(0, 19).replace("T", " ");

/** The plan that runs, or ran last; undefined where none ever did. */
export function lastPlan({ status }: ShownInstance): PlanStatus | undefined {
  const all = status?.planStatus ?? {};
  const named = status?.aggregatedStatus?.activePlanName || status?.lastStarted?.planName;
  if (named !== undefined && Object.hasOwn(all, named)) return all[named];
  // An Instance of upstream tells no more than when each plan was touched.
  return Object.values(all)
    .filter(({ status: state }) => state !== undefined && state !== "NEVER_RUN")
    .sort((one, other) =>
      (one.lastUpdatedTimestamp ?? "") < (other.lastUpdatedTimestamp ?? "") ? 1 : -1,
    )[0];
}

/** The plans of an Instance as upstream's `plan status` draws them; steps that wait say for what. */
export function planTree(instance: ShownInstance, version: ShownVersion | undefined): string {
  const { name, namespace } = instance.metadata;
  const last = lastPlan(instance);
  if (last === undefined) return `No plan ever run for instance - nothing to show for instance ${name}`;
  const versionName = instance.spec?.operatorVersion?.name ?? "";
  const plans = new Map(byName(version?.spec?.plans));
  // A plan that the version no longer has is shown while it is the last.
  if (last.name !== undefined && !plans.has(last.name)) plans.set(last.name, {});
  const root: Branch = {
    text: `${name} (Operator-Version: "${versionName}" Active-Plan: "${last.name ?? ""}")`,
    below: [...plans].map(([plan, definition]): Branch => {
      if (plan !== last.name)
        return {
          text: `Plan ${plan} ${inOrder(definition.strategy)} [NOT ACTIVE]`,
          below: (definition.phases ?? []).map((phase) => ({
            text: `Phase ${phase.name ?? ""} ${inOrder(phase.strategy)} [NOT ACTIVE]`,
            below: (phase.steps ?? []).map((step) => ({ text: `Step ${step.name ?? ""} [NOT ACTIVE]` })),
          })),
        };
      const updated = last.lastUpdatedTimestamp ?? undefined;
      const phases = new Map((definition.phases ?? []).map((phase) => [phase.name, phase]));
      return {
        text: `Plan ${plan} ${inOrder(definition.strategy)} [${last.status ?? ""}]${inBrackets(last.message)}${
          updated === undefined ? "" : `, last updated ${time(updated)}`
        }`,
        below: (last.phases ?? []).map((phase) => ({
          text: `Phase ${phase.name ?? ""} ${inOrder(phases.get(phase.name)?.strategy)} [${phase.status ?? ""}]${inBrackets(phase.message)}`,
          below: (phase.steps ?? []).map((step) => ({
            text: `Step ${step.name ?? ""} [${step.status ?? ""}]${inBrackets(step.message)}`,
          })),
        })),
      };
    }),
  };
  return [
    `Plan(s) for "${name}" in namespace "${namespace ?? ""}":`,
    treeText([root]),
    ...afterwards(instance, last),
  ].join("\n");
}

/** The lines that the tree has no place for: why nothing begins, and what ran well before. */
function afterwards({ status }: ShownInstance, last: PlanStatus): readonly string[] {
  const held = (status?.conditions ?? []).find(
    ({ type, status: state }) => type === "PlanScheduled" && state === "False",
  );
  const drifted = (status?.conditions ?? []).find(
    ({ type, status: state }) => type === "Drifted" && state === "True",
  );
  const good = status?.lastSucceeded;
  return [
    ...(drifted === undefined ? [] : ["", `Drifted: ${drifted.message}`]),
    ...(held === undefined ? [] : ["", `Nothing further begins (${held.reason}): ${held.message}`]),
    ...(last.status !== "FATAL_ERROR" || good === undefined
      ? []
      : [
          "",
          `The last run that succeeded was ${good.planName} of ${good.operatorVersion.name ?? ""} with ${JSON.stringify(good.parameters ?? {})}.`,
        ]),
  ];
}

/** The last run of each plan as upstream's `plan history` draws it; below, the last runs of all of them. */
export const historyTree = ({ status }: ShownInstance): string =>
  [
    treeText(
      byName(status?.planStatus).map(([name, plan]) => ({ text: `${plan.name ?? name} (${ranWhen(plan)})` })),
    ),
    ...pastRuns(status?.history ?? []),
  ].join("\n");

const pastRuns = (history: readonly PastRun[]): readonly string[] =>
  history.length === 0
    ? []
    : [
        "",
        "Last runs:",
        ...history.map(
          ({ execution, planName, operatorVersion, startedTimestamp, finishedTimestamp, status, message }) =>
            `${execution}. ${planName}${operatorVersion === undefined ? "" : ` of ${operatorVersion}`} from ${time(startedTimestamp ?? "?")} to ${time(finishedTimestamp ?? "?")} [${status}]${inBrackets(message)}`,
        ),
      ];

function ranWhen({ status, finishedTimestamp, lastUpdatedTimestamp }: PlanStatus): string {
  if (status === undefined || status === "NEVER_RUN") return "never run";
  if (status !== "COMPLETE" && status !== "FATAL_ERROR") return "is running";
  const at = finishedTimestamp ?? lastUpdatedTimestamp ?? "";
  return `last finished run at ${at.slice(0, 19)} (${status})`;
}
