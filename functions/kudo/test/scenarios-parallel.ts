import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { Instance } from "../index.ts";
import type { OperatorVersionSpec, PlanStatus } from "../kinds/index.ts";
import { dummy, plan } from "./operators.ts";
import { SHOP, type Shop } from "./shop.ts";
import type { AskedStage } from "./stage.ts";

const VERSION = { operatorVersion: { name: "many-1.0" } };
const FIFTY = Array.from({ length: 50 }, (_, index) => index);
const all = <T>(of: (index: number) => readonly [string, T]): Readonly<Record<string, T>> =>
  Object.fromEntries(FIFTY.map(of));

/** Fifty parameters, each of which has a plan of its own, and one that they share. */
const many = (done: boolean): OperatorVersionSpec => ({
  operator: { name: "many" },
  version: "1.0",
  parameters: [
    ...FIFTY.map((index) => ({ name: `P${index}`, default: "0", trigger: `plan-${index}` })),
    ...FIFTY.map((index) => ({ name: `S${index}`, default: "0", trigger: "shared" })),
  ],
  tasks: [dummy("ok"), dummy("end", { done })],
  plans: {
    deploy: plan("ok: ok"),
    shared: plan("ok: ok", "end: end"),
    ...all((index) => [`plan-${index}`, plan("end: end")]),
  },
});

async function deployed(s: Shop, done: boolean): Promise<void> {
  await s.version(VERSION.operatorVersion.name, many(done));
  await s.create(VERSION);
  await s.settled();
  assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
}
/** True where a tool asks once more: the server found others faster five times, or waited for its webhook for so long that nobody listened any more. */
const isAskedAgain = (thrown: unknown): boolean =>
  thrown instanceof KubeError &&
  (thrown.kind === "stale" || (thrown.kind === "unavailable" && thrown.status === undefined));
/** An edit as a user's tool makes it. */
async function edit(s: Shop, spec: Readonly<Record<string, unknown>>): Promise<void> {
  for (;;)
    try {
      return await s.edit(spec);
    } catch (thrown) {
      if (!isAskedAgain(thrown)) throw thrown;
    }
}
const fiftyEdits = (
  s: Shop,
  of: (index: number) => Readonly<Record<string, string>>,
): Promise<readonly PromiseSettledResult<void>[]> =>
  Promise.allSettled(FIFTY.map((index) => edit(s, { parameters: of(index) })));
const taken = (ends: readonly PromiseSettledResult<void>[]): readonly number[] =>
  FIFTY.filter((index) => ends[index]?.status === "fulfilled");
/** The reasons of the edits that were not taken. */
const refusals = (ends: readonly PromiseSettledResult<void>[]): readonly string[] =>
  ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
const wordsOf = (end: PromiseSettledResult<void> | undefined): string => {
  assert.ok(end?.status === "rejected" && end.reason instanceof KubeError);
  return end.reason.status?.message ?? end.reason.message;
};
const ran = async (s: Shop): Promise<readonly PlanStatus[]> =>
  Object.values((await s.instance()).status?.planStatus ?? {}).filter(
    ({ name, status }) => name !== "deploy" && status !== "NEVER_RUN",
  );

/** Fifty edits that conflict, and were asked for of nobody: all are kept, none is begun, and a person decides. */
async function noneIsLost(s: Shop): Promise<void> {
  const values = all((index) => [`P${index}`, "1"] as const);
  assert.deepEqual(refusals(await fiftyEdits(s, (index) => ({ [`P${index}`]: "1" }))), []);
  await s.settled();
  // One of them may have been seen alone, and run at once. The others never are one plan.
  const { spec, status } = await s.instance();
  assert.deepEqual(spec?.parameters, values);
  const said = status?.conditions?.find(({ type }) => type === "PlanScheduled");
  assert.equal(`${said?.status} ${said?.reason}`, "False ConflictingTriggers");
  const before = status?.executions ?? 0;
  await edit(s, { planExecution: { planName: "shared", uid: "mine" } });
  await s.settled();
  const after = (await s.instance()).status;
  assert.equal(after?.executions, before + 1);
  assert.equal(after?.lastSucceeded?.planUID, "mine");
  assert.deepEqual(after?.lastSucceeded?.parameters, values);
  assert.equal(
    after?.conditions?.find(({ type }) => type === "PlanScheduled"),
    undefined,
  );
}

/** Parallel writes where nobody is asked. */
export const parallel: readonly Scenario<Shop>[] = [
  {
    number: 15,
    name: "of fifty conflicting writes that nobody refuses none is lost, and none begins",
    async run(s) {
      await deployed(s, true);
      await noneIsLost(s);
    },
  },
  {
    number: 15,
    name: "fifty writes for one plan are all taken up, by one run at a time",
    async run(s) {
      await deployed(s, true);
      assert.deepEqual(refusals(await fiftyEdits(s, (index) => ({ [`S${index}`]: "1" }))), []);
      await s.settled();
      const { status } = await s.instance();
      assert.deepEqual(
        status?.lastSucceeded?.parameters,
        all((index) => [`S${index}`, "1"] as const),
      );
      assert.deepEqual(
        (await ran(s)).map(({ name }) => name),
        ["shared"],
      );
    },
  },
];

/** Parallel writes where the API server asks, or would. */
export const parallelAsked: readonly Scenario<AskedStage>[] = [
  {
    number: 15,
    name: "of fifty conflicting writes exactly one wins, the others are told why, and one plan runs",
    async run(s) {
      await deployed(s, false);
      const ends = await fiftyEdits(s, (index) => ({ [`P${index}`]: "1" }));
      const [winner = -1, ...others] = taken(ends);
      assert.deepEqual(others, []);
      for (const [index, end] of ends.entries())
        if (index !== winner)
          assert.ok(
            wordsOf(end).endsWith(
              `failed to update Instance shop/db: plan 'plan-${winner}' is scheduled (or running) and an update would trigger a different plan 'plan-${index}'`,
            ),
            wordsOf(end),
          );
      await s.settled();
      assert.deepEqual(
        (await ran(s)).map(({ name, status }) => `${name} ${status}`),
        [`plan-${winner} IN_PROGRESS`],
      );
      await s.version(VERSION.operatorVersion.name, many(true));
      await s.settled();
      const { spec, status } = await s.instance();
      assert.deepEqual(spec?.parameters, { [`P${winner}`]: "1" });
      assert.deepEqual(status?.lastSucceeded?.parameters, spec?.parameters);
      assert.equal(status?.executions, 2);
    },
  },
  {
    number: 15,
    name: "while nobody answers, fifty writes are refused and nothing begins; then all goes on",
    async run(s) {
      await deployed(s, true);
      const before = await s.instance();
      await s.hook("down, refusing");
      for (const end of await fiftyEdits(s, (index) => ({ [`P${index}`]: "1" })))
        assert.match(wordsOf(end), /failed calling webhook "instance-admission\.kudo\.dev"/);
      await assert.rejects(s.create(VERSION, "other"), /failed calling webhook/);
      await s.settled();
      assert.deepEqual(await s.instance(), before);
      assert.equal((await s.list(Instance, SHOP)).length, 1);
      await s.hook("up");
      await edit(s, { parameters: { P7: "1" } });
      await s.settled();
      assert.equal((await s.plan("plan-7"))?.status, "COMPLETE");
    },
  },
  {
    number: 15,
    name: "while nobody answers and writes pass, none of fifty is lost, and none begins",
    async run(s) {
      await deployed(s, true);
      await s.hook("down, letting through");
      await noneIsLost(s);
    },
  },
  {
    number: 6,
    name: "what was written while nobody answered is run once",
    async run(s) {
      await deployed(s, true);
      await s.hook("down, letting through");
      await edit(s, { parameters: { P7: "1" } });
      await s.settled();
      await s.hook("up");
      const { status } = await s.instance();
      assert.equal(status?.planStatus?.["plan-7"]?.status, "COMPLETE");
      assert.equal(status?.executions, 2);
    },
  },
];
