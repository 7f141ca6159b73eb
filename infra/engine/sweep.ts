import type { Bus } from "../../shared/bus/contract.ts";
import { timeOf } from "../../shared/clock/time.ts";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import { everyKey } from "../../shared/runner/router.ts";
import type { Signatures } from "./signatures.ts";

/** The reason why every key is reconciled again, as causes and logs name it. */
export type SweepReason = "bus.replaced" | "function.changed";

export interface SweepParts {
  readonly because: SweepReason;
  readonly cluster: string;
  /** The signatures of the code that may answer; a function without one is answered by any. */
  readonly signatures: Signatures;
  /** The present time, in milliseconds since the epoch. */
  readonly now: number;
}

/** Looks at every key of these functions once more, in the slow lane. Resolves when that is durable. */
export async function sweep(
  bus: Pick<Bus, "enqueue">,
  functions: readonly FunctionDeclaration[],
  { because: type, cluster, signatures, now }: SweepParts,
): Promise<void> {
  if (functions.length === 0) return;
  const at = timeOf(now);
  await bus.enqueue(
    functions.map((declaration) =>
      everyKey(declaration, cluster, {
        sort: "command",
        eventId: `${type}/${declaration.name}/${at}`,
        type,
        revives: true,
        at,
        signature: signatures[declaration.name],
      }),
    ),
  );
}
