import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { later } from "../../../../shared/function/index.ts";
import type { Plan, PlanStatus, Strategy } from "../../kinds/index.ts";
import { type Advance, advance, nextRetry, phasesOf, type Reports, type TaskReport } from "./index.ts";

const NOW = "2026-01-05T10:00:00.000Z";
const DONE: TaskReport = { state: "done" };
const WAITING: TaskReport = { state: "waiting", message: "0 of 1 pods ready" };
const FAILED: TaskReport = { state: "failed", message: "the server is busy" };
const REFUSED: TaskReport = {
  state: "refused",
  reason: "ResourceValidationError",
  message: "field is immutable",
};
const FATAL: TaskReport = { state: "fatal", reason: "TaskRenderingError", message: "no such key" };

const plan = (
  plans: Strategy | undefined,
  phases: Strategy | undefined,
  ...of: readonly (readonly string[])[]
): Plan => ({
  ...(plans !== undefined && { strategy: plans }),
  phases: of.map((steps, at) => ({
    name: `p${at}`,
    ...(phases !== undefined && { strategy: phases }),
    steps: steps.map((tasks, index) => ({ name: `s${index}`, tasks: tasks === "" ? [] : tasks.split(" ") })),
  })),
});
const begin = (of: Plan): PlanStatus => ({
  name: "deploy",
  uid: "u",
  status: "PENDING",
  startedTimestamp: "2026-01-05T10:00:00Z",
  lastUpdatedTimestamp: "2026-01-05T10:00:00Z",
  phases: phasesOf(of, [], "PENDING"),
});
const byName =
  (of: Plan, reports: Readonly<Record<string, TaskReport>>): Reports =>
  ({ phase, step, task }) =>
    reports[of.phases?.[phase]?.steps?.[step]?.tasks?.[task] ?? ""];
const pass = (
  of: Plan,
  entry: PlanStatus,
  reports: Readonly<Record<string, TaskReport>>,
  now = NOW,
): Advance => advance({ plan: of, entry, where: "shop/db", reports: byName(of, reports), now });

const SHORT: Readonly<Record<string, string>> = {
  PENDING: ".",
  IN_PROGRESS: ">",
  ERROR: "!",
  COMPLETE: "+",
  FATAL_ERROR: "x",
};
const short = (status: string | undefined): string => SHORT[status ?? ""] ?? "?";
/** `> >[+ !] .[. .]`: the plan, each phase, and its steps. */
const picture = ({ entry }: Advance): string =>
  [
    short(entry.status),
    ...(entry.phases ?? []).map(
      ({ status, steps }) => `${short(status)}[${(steps ?? []).map((one) => short(one.status)).join(" ")}]`,
    ),
  ].join(" ");
const dueIn = ({ due }: Advance): string =>
  due
    .map(({ phase, step, tasks }) => `${phase}.${step}:${tasks.map(({ name }) => name).join("+")}`)
    .join(" ");

type Case = readonly [string, Plan, Readonly<Record<string, TaskReport>>, string, string];
const serial = plan("serial", "serial", ["a", "b"], ["c"]);
const unsaid = plan(undefined, undefined, ["a", "b"], ["c"]);
const steps = plan("serial", "parallel", ["a", "b"], ["c"]);
const phases = plan("parallel", "serial", ["a", "b"], ["c"]);
const CASES: readonly Case[] = [
  ["nothing reported", serial, {}, "> >[> .] .[.]", "p0.s0:a"],
  ["nothing reported, no strategy", unsaid, {}, "> >[> .] .[.]", "p0.s0:a"],
  ["nothing reported, parallel steps", steps, {}, "> >[> >] .[.]", "p0.s0:a p0.s1:b"],
  ["nothing reported, parallel phases", phases, {}, "> >[> .] >[>]", "p0.s0:a p1.s0:c"],
  ["the first done", serial, { a: DONE }, "> >[+ >] .[.]", "p0.s1:b"],
  ["the first phase done", serial, { a: DONE, b: DONE }, "> +[+ +] >[>]", "p1.s0:c"],
  ["all done", serial, { a: DONE, b: DONE, c: DONE }, "+ +[+ +] +[+]", ""],
  ["the first waits", serial, { a: WAITING }, "> >[> .] .[.]", ""],
  ["the first fails for now", serial, { a: FAILED }, "> >[! .] .[.]", ""],
  ["a parallel one fails for now", steps, { a: FAILED, b: DONE }, "> >[! +] .[.]", ""],
  ["a parallel one is fatal", steps, { a: FAILED, b: FATAL }, "x x[! x] .[.]", ""],
  ["a fatal one stops what comes after it", steps, { a: FATAL, b: DONE }, "x x[x .] .[.]", ""],
  ["a parallel phase is fatal", phases, { a: WAITING, c: FATAL }, "x >[> .] x[x]", ""],
  ["an empty plan", {}, {}, "+", ""],
  ["a plan without phases", { phases: null }, {}, "+", ""],
  [
    "an empty phase and an empty step",
    plan("serial", "serial", [], ["", "a"]),
    { a: DONE },
    "+ +[] +[+ +]",
    "",
  ],
];

describe("a pass over a run", () => {
  for (const [title, of, reports, seen, due] of CASES)
    test(`${title}: ${seen}${due === "" ? "" : `, then ${due}`}`, () => {
      const after = pass(of, begin(of), reports);
      assert.equal(picture(after), seen);
      assert.equal(dueIn(after), due);
      // The same again changes nothing more: what it says is in the status.
      if (Object.keys(reports).length === 0) return;
      const again = advance({
        plan: of,
        entry: after.entry,
        where: "shop/db",
        reports: () => undefined,
        now: NOW,
      });
      assert.equal(picture(again), picture(after));
    });
  test("runs only those tasks of a step again that are not done", () => {
    const of = plan("serial", "serial", ["a b c"]);
    const after = pass(of, begin(of), { a: DONE, b: WAITING, c: DONE });
    assert.equal(dueIn(pass(of, after.entry, {})), "p0.s0:b");
    assert.deepEqual(
      after.entry.phases?.[0]?.steps?.[0]?.tasks?.map(({ status }) => status),
      ["COMPLETE", "IN_PROGRESS", "COMPLETE"],
    );
    assert.equal(after.entry.phases?.[0]?.steps?.[0]?.message, "0 of 1 pods ready");
  });
  test("tells in its step where it failed, for good and for now", () => {
    const message = (report: TaskReport) =>
      pass(serial, begin(serial), { a: report }).entry.phases?.[0]?.steps?.[0]?.message;
    assert.equal(
      message(FATAL),
      "Error during execution: fatal error: shop/db failed in deploy.p0.s0.a: no such key",
    );
    assert.equal(
      message(FAILED),
      "A transient error when executing task deploy.p0.s0.a. Will retry. the server is busy",
    );
    const { entry } = pass(serial, begin(serial), { a: FATAL });
    assert.equal(entry.message, undefined);
    assert.equal(entry.phases?.[0]?.message, undefined);
    assert.equal(entry.finishedTimestamp, "2026-01-05T10:00:00Z");
  });
  test("goes on with the tasks after one that fails for now", () => {
    const of = plan("serial", "serial", ["a b"]);
    const { entry } = pass(of, begin(of), { a: FAILED, b: DONE });
    assert.deepEqual(
      entry.phases?.[0]?.steps?.[0]?.tasks?.map(({ status }) => status),
      ["ERROR", "COMPLETE"],
    );
  });
  test("tries again after a back-off, and not before", () => {
    const first = pass(serial, begin(serial), { a: FAILED });
    const { retry } = first.wakeAt;
    assert.ok(retry !== undefined && retry > NOW);
    assert.equal(first.entry.phases?.[0]?.steps?.[0]?.attempts, 1);
    assert.equal(dueIn(pass(serial, first.entry, {})), "");
    assert.equal(dueIn(pass(serial, first.entry, {}, retry)), "p0.s0:a");
    const second = pass(serial, first.entry, { a: FAILED }, retry);
    assert.equal(second.entry.phases?.[0]?.steps?.[0]?.attempts, 2);
    const healed = pass(serial, second.entry, { a: DONE }, second.wakeAt.retry ?? "");
    assert.equal(picture(healed), "> >[+ >] .[.]");
    assert.equal(healed.entry.phases?.[0]?.steps?.[0]?.attempts, undefined);
  });
  test("stops at the third refusal in a row", () => {
    let last = pass(serial, begin(serial), { a: REFUSED });
    last = pass(serial, last.entry, { a: REFUSED }, later(NOW, "1m"));
    assert.equal(picture(last), "> >[! .] .[.]");
    const other = pass(serial, last.entry, { a: FAILED }, later(NOW, "2m"));
    assert.equal(picture(pass(serial, other.entry, { a: REFUSED }, later(NOW, "3m"))), "> >[! .] .[.]");
    assert.equal(picture(pass(serial, last.entry, { a: REFUSED }, later(NOW, "2m"))), "x x[x .] .[.]");
  });
  test("loses its patience with what may not be missing for long", () => {
    const patient: TaskReport = {
      ...WAITING,
      state: "waiting",
      patience: { seconds: 30, reason: "ResourceValidationError" },
    };
    const first = pass(serial, begin(serial), { a: patient });
    assert.equal(first.wakeAt.timeout, "2026-01-05T10:00:30.000Z");
    assert.equal(picture(pass(serial, first.entry, { a: patient }, later(NOW, "29s"))), "> >[> .] .[.]");
    assert.equal(picture(pass(serial, first.entry, { a: patient }, later(NOW, "30s"))), "x x[x .] .[.]");
  });
  for (const [what, of, told] of [
    ["plan", { ...serial, timeoutSeconds: 60 }, "failed in deploy: timed out after 60 s"],
    [
      "phase",
      { phases: serial.phases?.map((phase) => ({ ...phase, timeoutSeconds: 60 })) ?? [] },
      "failed in deploy.p0: timed out after 60 s",
    ],
    [
      "step",
      { phases: [{ name: "p0", steps: [{ name: "s0", tasks: ["a"], timeoutSeconds: 60 }] }] },
      "failed in deploy.p0.s0: timed out after 60 s",
    ],
  ] as readonly (readonly [string, Plan, string])[])
    test(`gives a ${what} up after its time`, () => {
      const first = pass(of, begin(of), { a: WAITING });
      assert.equal(first.wakeAt.timeout, "2026-01-05T10:01:00.000Z");
      const early = pass(of, first.entry, { a: WAITING }, later(NOW, "59s"));
      assert.equal(early.entry.status, "IN_PROGRESS");
      const late = pass(of, early.entry, { a: WAITING }, later(NOW, "60s"));
      assert.equal(late.entry.status, "FATAL_ERROR");
      assert.equal(late.fatal?.message, `Error during execution: fatal error: shop/db ${told}`);
    });
  test("takes up steps that its version brought meanwhile, and drops those that it lost", () => {
    const after = pass(serial, begin(serial), { a: DONE });
    const grown = plan("serial", "serial", ["a", "b", "n"], ["c"]);
    assert.equal(picture(pass(grown, after.entry, { b: DONE })), "> >[+ + >] .[.]");
    const shrunk = plan("serial", "serial", ["a"]);
    assert.equal(picture(pass(shrunk, after.entry, {})), "+ +[+]");
  });
  test("fails where its plan is gone, or has an order that nobody knows", () => {
    const gone = advance({
      plan: undefined,
      entry: begin({}),
      where: "shop/db",
      reports: () => undefined,
      now: NOW,
    });
    assert.equal(
      gone.entry.message,
      "Error during execution: fatal error: shop/db failed: plan deploy does not exist",
    );
    const strange = JSON.parse('{"strategy": "random"}');
    assert.equal(pass(strange, begin({}), {}).fatal?.reason, "InvalidPlan");
  });
  test("moves its time only where something changed", () => {
    const first = pass(serial, begin(serial), { a: WAITING });
    const second = pass(serial, first.entry, { a: WAITING }, later(NOW, "1h"));
    assert.deepEqual(second.entry, first.entry);
  });
});

test("a back-off doubles up to five minutes, a little differently for each run", () => {
  const seconds = (attempts: number, seed: string) =>
    (Date.parse(nextRetry(attempts, seed, NOW)) - Date.parse(NOW)) / 1000;
  const delays = [1, 2, 3, 4, 8, 9, 10, 50].map((attempts) => seconds(attempts, "u"));
  for (const [at, wanted] of [1, 2, 4, 8, 128, 256, 300, 300].entries()) {
    const delay = delays[at] ?? 0;
    assert.ok(delay >= wanted * 0.9 && delay <= wanted * 1.1 + 1, `${wanted}: ${delay}`);
  }
  assert.ok(new Set(Array.from({ length: 20 }, (_, at) => seconds(20, String(at)))).size > 5);
});
