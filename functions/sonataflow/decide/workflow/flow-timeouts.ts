import { type Fields, fieldOf, fieldsOf, listOf } from "../../../../shared/json/fields.ts";
import type { Workflow } from "../../kinds/index.ts";

const said = (value: unknown): boolean => typeof value === "string" && value !== "";

const sleeps = (action: unknown): boolean => {
  const { before, after } = fieldsOf(fieldOf(action, "sleep"));
  return said(before) || said(after);
};
const anySleeps = (actions: unknown): boolean => listOf(actions).some(sleeps);

/** True where a workflow asks for jobs: a time-out that the runtime serves, a sleep state, or an action that sleeps (3.7). */
export function usesTimeouts(workflow: Workflow): boolean {
  const { timeouts, states } = workflow.spec?.flow ?? {};
  return (
    said(timeouts?.workflowExecTimeout?.duration) ||
    said(timeouts?.eventTimeout) ||
    (states ?? []).some(stateUsesTimeouts)
  );
}

function stateUsesTimeouts(state: Fields): boolean {
  const type = String(state.type);
  // What a state does stands beside its type, or in a field named after it.
  const does: Fields = { ...state, ...fieldsOf(state[type === "foreach" ? "forEachState" : `${type}State`]) };
  const eventTimeout = said(fieldOf(does.timeouts, "eventTimeout"));
  switch (type) {
    case "sleep":
      return true;
    case "switch":
      return eventTimeout;
    case "event":
      return eventTimeout || listOf(does.onEvents).some((on) => anySleeps(fieldOf(on, "actions")));
    case "callback":
      return eventTimeout || sleeps(does.action);
    case "parallel":
      return listOf(does.branches).some((branch) => anySleeps(fieldOf(branch, "actions")));
    case "operation":
    case "foreach":
      return anySleeps(does.actions);
    default:
      return false;
  }
}
