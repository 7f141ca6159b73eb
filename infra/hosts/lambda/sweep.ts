import type { Bus } from "../../../shared/bus/contract.ts";
import { timeOf } from "../../../shared/clock/time.ts";
import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import { everyKey } from "../../../shared/runner/router.ts";

/** The event that a schedule hands to a function's Lambda. */
export const SWEEP_EVENT = { reveille: "sweep" } as const;

/** Looks at every key of a function once more, in the slow lane (rule 6). What is dead stays so. */
export async function sweep(
  bus: Pick<Bus, "enqueue">,
  declaration: FunctionDeclaration,
  cluster: string,
  now: number,
): Promise<{ readonly swept: string }> {
  const at = timeOf(now);
  const eventId = `sweep/${declaration.name}/${at}`;
  const type = "function.swept";
  await bus.enqueue([everyKey(declaration, cluster, { sort: "sweep", eventId, type, revives: false, at })]);
  return { swept: declaration.name };
}
