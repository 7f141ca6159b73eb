import { PROFILE } from "../../kinds/annotations.ts";
import type { Workflow } from "../../kinds/index.ts";

/** The mode in which a workflow runs. A missing or unknown one counts as `preview`; `prod` is its older name. */
export type Profile = "dev" | "preview" | "gitops";

export function profileOf(workflow: Workflow): Profile {
  const said = workflow.metadata.annotations[PROFILE];
  return said === "dev" || said === "gitops" ? said : "preview";
}
