import assert from "node:assert/strict";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import { versionsOf } from "../world.ts";
import { type Stage, type SystemInTests, writtenKinds } from "./proof.ts";

/**
 * Every key once more, `rounds` times, must write nothing: neither does any object's version move, nor does the server take a
 * write of a run. This finds lost wakes and output that is not stable. No net may have woken anything before.
 */
export async function assertAtRest(
  stage: Stage,
  tested: Pick<SystemInTests, "system" | "brings">,
  rounds = 1,
): Promise<void> {
  const { stack } = stage;
  await stage.settled();
  assert.deepEqual(stack.runs().filter(isOfNet).map(subjectOf), [], "nets are off");
  const kinds = writtenKinds(tested);
  const before = await versionsOf(stack.client, kinds);
  const runs = stack.runs().length;
  for (let round = 0; round < rounds; round += 1) await stage.again();
  assert.deepEqual(await versionsOf(stack.client, kinds), before);
  const sent = stack.runs().slice(runs).flatMap(sentBy);
  assert.deepEqual(sent, [], "a settled world is not written to");
}

const isOfNet = ({ causes }: RunRecord): boolean => causes.some(({ sort }) => sort === "net");
const subjectOf = (run: RunRecord): string => `${run.function} for ${run.key}`;

const sentBy = (run: RunRecord): readonly string[] =>
  run.writes
    .filter(({ sent, error }) => sent && error === undefined)
    .map(({ verb, subject }) => `${subjectOf(run)}: ${verb} ${subject}`);
