import {
  atMost,
  create,
  type Effect,
  type Effects,
  inOrder,
  patch,
  type Results,
  remove,
  replace,
  setStatus,
} from "../../../../shared/function/index.ts";
import { rawOf } from "../../../../shared/kube/read.ts";
import { ClusterOperator } from "../../kinds/index.ts";
import { PayloadObject } from "../../kinds/payload-object.ts";
import type { Task } from "../graph/index.ts";
import { type Board, expectedOf } from "./board.ts";
import { isWrite } from "./step.ts";
import { type Turn, takenSteps, type WriteResult } from "./turn.ts";
import { isGate } from "./walk.ts";

type Target = "payload-object" | "ClusterOperator";
type Write = Effect<"payload-object", PayloadObject | undefined>;
type Make = Effect<"ClusterOperator", ClusterOperator>;

/** The writes of a turn, and how to ask what came of them. */
export interface TurnEffects {
  readonly effects: Effects<Target>;
  readonly resultOf: (results: Results) => (task: Task) => WriteResult;
  readonly made: (results: Results) => (task: Task) => WriteResult;
}

/** Writes side by side: more only makes each slower; keeping to a release is to be hardly noticed. */
const parallelOf = ({ work }: Turn): number => (work.mode === "Reconciling" ? 2 : 16);

/** The writes of a turn: each node's tasks in order, the ClusterOperators that they wait for before. */
export function turnEffects(
  turn: Turn,
  board: Board,
  objects: ReadonlyMap<number, PayloadObject>,
): TurnEffects {
  const writes = new Map<number, Write>();
  const makes = new Map<number, Make>();
  const chains = turn.look.chains.map((chain) => {
    const steps = takenSteps(turn, chain).flatMap(({ task, step }) => {
      if (step.step === "gate" || !isWrite(step)) return [];
      const effect = writeOf(step, objects.get(task.index));
      writes.set(task.index, effect);
      return [effect];
    });
    for (const task of chain.operators)
      if (!board.has(task.manifest.name) && !turn.work.excluded.has(task.index))
        makes.set(task.index, create(ClusterOperator, bodyOf(task)));
    return inOrder(...steps);
  });
  return {
    effects: [
      [...makes.values()],
      seeds(turn, board),
      upkeep(turn, board),
      atMost(
        parallelOf(turn),
        chains.filter(({ inOrder: steps }) => steps.length > 0),
      ),
    ],
    resultOf: (results) => (task) => resultOf(results, writes.get(task.index)),
    made: (results) => (task) => resultOf(results, makes.get(task.index)),
  };
}

type WriteStep = Extract<Parameters<typeof isWrite>[0], { step: "create" | "replace" | "delete" }>;
function writeOf(step: WriteStep, object: PayloadObject | undefined): Write {
  if (step.step === "create" || object === undefined)
    return create(PayloadObject, bodyIn(step), { unread: step.step === "create" && step.unread === true });
  return step.step === "replace" ? replace(PayloadObject, object, step.body) : remove(PayloadObject, object);
}
const bodyIn = (step: WriteStep) => (step.step === "delete" ? step.live : step.body);

function resultOf(results: Results, effect: Write | Make | undefined): WriteResult {
  if (effect === undefined) return { state: "not run" };
  const result = results<PayloadObject | ClusterOperator | undefined>(effect);
  if (result.state !== "done") return result;
  return {
    state: "done",
    changed: result.changed,
    live: result.value === undefined ? undefined : rawOf(result.value),
  };
}

const bodyOf = ({ manifest: { name, object } }: Task) => ({
  metadata: {
    name,
    ...(object.metadata.labels != null && { labels: object.metadata.labels }),
    ...(object.metadata.annotations != null && { annotations: object.metadata.annotations }),
  },
  spec: {},
});

/**
 * The first status of an operator that has not spoken yet: where to look when something is wrong. Written once; the rest of its
 * status is its own.
 */
const seeds = (turn: Turn, board: Board): readonly Effect<"ClusterOperator">[] =>
  turn.look.chains.flatMap(({ operators }) =>
    operators.flatMap((task) => {
      const live = board.get(task.manifest.name);
      const { relatedObjects = [] } = expectedOf(task);
      if (live === undefined || live.status !== undefined || relatedObjects.length === 0) return [];
      return [setStatus(ClusterOperator, live, { relatedObjects: [...relatedObjects] })];
    }),
  );

/** Labels and annotations of the board are kept to like those of any object; its status is its operator's. */
const upkeep = ({ work }: Turn, board: Board): readonly Effect<"ClusterOperator">[] =>
  work.mode !== "Reconciling"
    ? []
    : work.tasks.flatMap((task) => {
        const live =
          isGate(task) && !work.excluded.has(task.index) ? board.get(task.manifest.name) : undefined;
        if (live === undefined) return [];
        const { labels, annotations } = bodyOf(task).metadata;
        return [
          patch(ClusterOperator, live, {
            ...(labels !== undefined && { labels }),
            ...(annotations !== undefined && { annotations }),
          }),
        ];
      });
