import type { CommandTools } from "../../../shared/function/command.ts";
import { planTree } from "./plan-text.ts";
import type { AnInstance, AVersion } from "./read.ts";

/** Shows how a plan goes on: on a terminal the tree in its place, anywhere else a line for what changed. */
export interface Screen {
  readonly told: (instance: AnInstance, begun: boolean) => void;
  /** Prints the tree as it is at the end. */
  readonly end: () => void;
}

/** A screen that begins with the next line. */
export function screenFor(
  { print, say }: Pick<CommandTools, "print" | "say">,
  version: AVersion | undefined,
  isTerminal: boolean,
): Screen {
  let shown = "";
  let last: AnInstance | undefined;
  const lines = new Map<string, string>();
  return {
    told: (instance, begun) => {
      last = instance;
      // A line would be about the run before.
      if (!isTerminal) return begun ? tellChanges(instance, lines, say) : undefined;
      const text = planTree(instance, version);
      if (text === shown) return;
      const up = shown === "" ? "" : `\u001b[${shown.split("\n").length}A\u001b[0J`;
      shown = text;
      print(`${up}${text}`);
    },
    end: () => {
      if (!isTerminal && last !== undefined) print(planTree(last, version));
    },
  };
}

/** A line for each step, phase and plan that stands otherwise than it was last told. */
function tellChanges({ status }: AnInstance, lines: Map<string, string>, say: (text: string) => void): void {
  const tell = (path: string, state: string | undefined, message = ""): void => {
    if (state === undefined || state === "NEVER_RUN" || state === "PENDING") return;
    const line = `${path} [${state}]${message === "" ? "" : ` (${message})`}`;
    if (lines.get(path) === line) return;
    lines.set(path, line);
    say(line);
  };
  const uid = status?.lastStarted?.planUID ?? status?.aggregatedStatus?.activePlanUID;
  for (const [plan, one] of Object.entries(status?.planStatus ?? {})) {
    if (uid !== undefined && one.uid !== uid) continue;
    for (const phase of one.phases ?? [])
      for (const step of phase.steps ?? [])
        tell(`${plan}.${phase.name ?? ""}.${step.name ?? ""}`, step.status, step.message);
    tell(plan, one.status, one.message);
  }
}
