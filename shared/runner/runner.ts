import type { Lease, RunEnding, Work } from "../bus/contract.ts";
import type { WorkItem } from "../bus/item.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { type ParsedKey, parseKey } from "../function/key.ts";
import { OwnObject } from "../hints/own-object.ts";
import { AppliedMemo } from "../kube/apply/memo.ts";
import { ForeignKeys } from "./foreign-key.ts";
import { LoopGuard } from "./loop-guard.ts";
import { OtherSignatures } from "./other-signature.ts";
import { ReplacedMemo } from "./replacement.ts";
import { declaredClusters, rightsOf } from "./rights.ts";
import { type Kept, Run } from "./run.ts";
import type { RunnerParts } from "./runner-parts.ts";
import { SlotKinds } from "./slot-kinds.ts";
import { ToldMemo } from "./told-memo.ts";
import { unknownFunction } from "./unknown-function.ts";
import { Waits, watchedBy } from "./waits.ts";
import { Wakers } from "./wakers.ts";

/** The work of every host: takes an item, decides, writes, says how it ended. */
export function createRunner(parts: RunnerParts): Work {
  const byName = new Map(
    parts.functions.map((declaration) => [
      declaration.name,
      {
        declaration,
        rights: rightsOf(declaration),
        reachesOthers: declaredClusters(declaration).length > 0,
      },
    ]),
  );
  const slots = new SlotKinds(parts, (declaration) => parts.admitted?.(declaration) ?? new Map());
  const wakers = new Wakers(parts.wroteThis);
  const kept: Kept = {
    wakers,
    guard: new LoopGuard((causes) => wakers.onlyFunctions(causes)),
    memo: new AppliedMemo(),
    replaced: new ReplacedMemo(),
    told: new ToldMemo(),
    slots,
    waits: new Waits({ watched: watchedBy(parts.all ?? parts.functions), slots, cluster: parts.cluster }),
  };
  const foreign = new ForeignKeys(parts);
  const others = new OtherSignatures(parts);
  const work = async (lease: Lease): Promise<RunEnding> => {
    const refused = foreign.refuse(lease.item) ?? others.refuse(lease.item);
    if (refused !== undefined) return refused;
    const known = byName.get(lease.item.function);
    if (known === undefined) return unknownFunction(lease, parts.clock);
    const { lent, others: clusters } = parts;
    const isLending = lent !== undefined && clusters !== undefined && known.reachesOthers;
    const own = isLending ? { ...parts, others: lent.forRun(clusters) } : parts;
    return new Run(lease, known.declaration, known.rights, own, kept).run();
  };
  return Object.assign(work, {
    ahead: (item: WorkItem) => begin(byName.get(item.function)?.declaration, item, parts),
  });
}

function objectIn(key: string): Extract<ParsedKey, { of: "object" }> | undefined {
  try {
    const parsed = parseKey(key);
    return parsed.of === "object" ? parsed : undefined;
  } catch {
    // The run says what is wrong with the key.
    return undefined;
  }
}

/** Begins the read of a run's own object, where the run will need it. */
function begin(
  declaration: FunctionDeclaration | undefined,
  item: WorkItem,
  { client, hints }: RunnerParts,
): OwnObject | undefined {
  const key = declaration?.key.by === "object" && item.sweep === undefined ? objectIn(item.key) : undefined;
  if (declaration === undefined || key === undefined) return undefined;
  return new OwnObject({ kind: declaration.key.kind, key, item, client, hints }).begin();
}
