import assert from "node:assert/strict";
import { versionsOf } from "../world.ts";
import { type Stage, type SystemInTests, writtenKinds } from "./proof.ts";

/**
 * Every key once more, `rounds` times, must write nothing: neither does any object's version move, nor does the server take a
 * write of a run. This finds lost wakes and output that is not stable.
 */
export async function assertAtRest(
  stage: Stage,
  tested: Pick<SystemInTests, "system" | "brings">,
  rounds = 1,
): Promise<void> {
  const { stack } = stage;
  await stage.settled();
  const kinds = writtenKinds(tested);
  const before = await versionsOf(stack.client, kinds);
  const runs = stack.runs().length;
  for (let round = 0; round < rounds; round += 1) await stage.again();
  assert.deepEqual(await versionsOf(stack.client, kinds), before);
  const sent = stack.runs().slice(runs).flatMap(sentBy);
  assert.deepEqual(sent, [], "a settled world is not written to");
}

const sentBy = (run: ReturnType<Stage["stack"]["runs"]>[number]): readonly string[] =>
  run.writes
    .filter(({ sent, error }) => sent && error === undefined)
    .map(({ verb, subject }) => `${run.function} for ${run.key}: ${verb} ${subject}`);
