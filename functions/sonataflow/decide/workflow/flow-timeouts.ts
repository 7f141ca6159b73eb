import type { Workflow } from "../../kinds/index.ts";

type Tree = Readonly<Record<string, unknown>>;
const tree = (value: unknown): Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Tree) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const said = (value: unknown): boolean => typeof value === "string" && value !== "";

const sleeps = (action: unknown): boolean => {
  const { before, after } = tree(tree(action).sleep);
  return said(before) || said(after);
};
const anySleeps = (actions: unknown): boolean => list(actions).some(sleeps);

/** Whether a workflow asks for jobs: a time-out that the runtime serves, a sleep state, or an action that sleeps (3.7). */
export function usesTimeouts(workflow: Workflow): boolean {
  const { timeouts, states } = workflow.spec?.flow ?? {};
  return (
    said(timeouts?.workflowExecTimeout?.duration) ||
    said(timeouts?.eventTimeout) ||
    (states ?? []).some(stateUsesTimeouts)
  );
}

function stateUsesTimeouts(state: Tree): boolean {
  const type = String(state.type);
  // What a state does stands beside its type, or in a field named after it.
  const does: Tree = { ...state, ...tree(state[type === "foreach" ? "forEachState" : `${type}State`]) };
  const eventTimeout = said(tree(does.timeouts).eventTimeout);
  switch (type) {
    case "sleep":
      return true;
    case "switch":
      return eventTimeout;
    case "event":
      return eventTimeout || list(does.onEvents).some((on) => anySleeps(tree(on).actions));
    case "callback":
      return eventTimeout || sleeps(does.action);
    case "parallel":
      return list(does.branches).some((branch) => anySleeps(tree(branch).actions));
    case "operation":
    case "foreach":
      return anySleeps(does.actions);
    default:
      return false;
  }
}
