import assert from "node:assert/strict";
import * as fc from "fast-check";
import "../../../infra/testing/seeded-properties.ts";
import { describe, test } from "vitest";
import { sameJson } from "../../../shared/json/same-json.ts";
import type { TaskReport } from "../decide/run/report.ts";
import type { Consumed, ExecutionStatus, InstanceSpec, PlanExecution } from "../kinds/index.ts";
import { definition, TestWorld, twoPhases } from "./turn-world.ts";

// What must hold of an Instance, written apart from what decides: from its object alone, as an auditor sees it.

const PARAMETERS = {
  A: { default: "1", trigger: "scale" },
  B: { default: "1", trigger: "backup" },
  C: { default: "1", trigger: undefined },
  D: { default: "1", trigger: "deploy" },
} as const;
type Name = keyof typeof PARAMETERS;
const NAMES = Object.keys(PARAMETERS) as readonly Name[];

const parameters = NAMES.map((name) => ({
  name,
  default: PARAMETERS[name].default,
  trigger: PARAMETERS[name].trigger,
}));
const plans = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name, at) => [name, at % 2 === 0 ? twoPhases() : twoPhases("parallel")]));
const VERSIONS = {
  v1: ["deploy", "scale", "backup", "cleanup"],
  v2: ["deploy", "update", "scale", "backup"],
  v3: ["deploy", "upgrade", "update", "scale", "backup", "cleanup"],
} as const;
type VersionName = keyof typeof VERSIONS;
const versions = (Object.keys(VERSIONS) as readonly VersionName[]).map((name) =>
  definition(name, { parameters, plans: plans(...VERSIONS[name]) }),
);

type Wish = { readonly version: string; readonly values: Readonly<Record<string, string>> };
/** The wish that a spec, or a run that consumed one, stands for: defaults filled in. */
const wishOf = (of: Pick<Consumed, "operatorVersion" | "parameters"> | InstanceSpec | undefined): Wish => ({
  version: of?.operatorVersion?.name ?? "",
  values: Object.fromEntries(NAMES.map((name) => [name, of?.parameters?.[name] ?? PARAMETERS[name].default])),
});
/** The plan that leads from one wish to the next: as the documentation of plans says it. */
function planBetween(before: Wish | undefined, after: Wish): string | undefined {
  const has: readonly string[] = VERSIONS[after.version as VersionName];
  const first = (...names: readonly string[]) => names.find((name) => has.includes(name));
  if (before === undefined) return "deploy";
  if (before.version !== after.version) return first("upgrade", "update", "deploy");
  const triggers = NAMES.filter((name) => before.values[name] !== after.values[name]).map(
    (name) => PARAMETERS[name].trigger,
  );
  const named = [...new Set(triggers.filter((trigger) => trigger !== undefined))];
  if (triggers.length === 0 || named.length > 1) return undefined;
  return named[0] ?? first("update", "deploy");
}

/** Plans that nobody may ask for, and one that no version has. */
const IMPOSSIBLE: readonly string[] = ["cleanup", "nowhere"];
const RUNNING: readonly (ExecutionStatus | undefined)[] = ["PENDING", "IN_PROGRESS", "ERROR"];
const TERMINAL: readonly (ExecutionStatus | undefined)[] = ["COMPLETE", "FATAL_ERROR"];

class Auditor {
  /** The last value of each uid, and whether it is its end. */
  readonly #seen = new Map<string, ExecutionStatus>();
  readonly #byUser: ReadonlySet<string>;
  #executions = 0;
  #before: Wish | undefined;
  #lock: PlanExecution | undefined;
  readonly runs: { readonly uid: string; readonly plan: string }[] = [];
  constructor(byUser: ReadonlySet<string>) {
    this.#byUser = byUser;
  }
  readonly look = (world: TestWorld): void => {
    const { status, spec } = world.live;
    const entries = Object.entries(status?.planStatus ?? {});
    const running = entries.filter(([, entry]) => RUNNING.includes(entry.status));
    assert.ok(running.length <= 1, "I1: one runs at most");
    const [active] = running;
    if (active !== undefined && spec?.planExecution?.uid !== active[1].uid) {
      const next = world.decide();
      const closes = "end" in next && typeof next.end === "object" ? next.end.status : undefined;
      assert.ok(
        next.do === "wait" ||
          closes?.planStatus?.[active[0]]?.uid !== active[1].uid ||
          closes?.planStatus?.[active[0]]?.status === "FATAL_ERROR" ||
          next.do === "rest" ||
          next.do === "let go",
        "I2: what nothing holds is closed on the next pass",
      );
    }
    if (status !== undefined) {
      assert.equal(status.aggregatedStatus?.activePlanName, active?.[0] ?? "", "I3");
      assert.equal(status.aggregatedStatus?.activePlanUID, active?.[1].uid ?? "", "I3");
    }
    for (const [, entry] of entries) {
      if (entry.uid === undefined || entry.status === undefined) continue;
      const before = this.#seen.get(entry.uid);
      if (before !== undefined && TERMINAL.includes(before))
        assert.equal(entry.status, before, "I4: a run has one end");
      this.#seen.set(entry.uid, entry.status);
    }
    const executions = status?.executions ?? 0;
    assert.ok(executions === this.#executions || executions === this.#executions + 1, "I7");
    if (executions > this.#executions) this.#started(world);
    this.#executions = executions;
    this.#refused(world);
    this.#replaced(world);
    this.#lock = spec?.planExecution;
  };
  /** A request that nobody can fulfil stands in the lock alone: once that is empty, the status tells of it. */
  #refused({ by, live: { metadata, spec, status } }: TestWorld): void {
    const { planName = "", status: given } = this.#lock ?? {};
    const isEmptied = by === "controller" && (spec?.planExecution?.planName ?? "") === "";
    if (!isEmptied || !IMPOSSIBLE.includes(planName) || metadata.deletionTimestamp !== undefined) return;
    if (given !== undefined && given !== "" && TERMINAL.includes(given)) return;
    // What the spec asks for besides is told of whenever somebody looks.
    if (!sameJson(wishOf(status?.lastStarted), wishOf(spec))) return;
    const said = status?.conditions?.find(({ type }) => type === "PlanScheduled");
    assert.equal(said?.status, "False", `it is told why ${planName} does not run`);
  }
  /** A request whose lock another plan takes, before its run began, stands nowhere else: the status tells of it by then. */
  #replaced({ by, live: { metadata, spec, status } }: TestWorld): void {
    const { planName = "", uid = "" } = this.#lock ?? {};
    const next = spec?.planExecution?.planName ?? "";
    if (by !== "controller" || planName === "" || next === "" || next === planName) return;
    if (!this.#byUser.has(uid) || metadata.deletionTimestamp !== undefined) return;
    const said = status?.conditions?.find(({ type }) => type === "PlanScheduled");
    assert.equal(said?.status, "False", `it is told that ${planName} gave way to ${next}`);
    assert.ok(said.message.includes(planName), said.message);
  }
  #started(world: TestWorld): void {
    const run = world.live.status?.lastStarted;
    assert.ok(run !== undefined && run.execution === this.#executions + 1);
    assert.ok(!this.runs.some(({ uid }) => uid === run.planUID), "no uid runs twice");
    const wish = wishOf(run);
    const why = `${run.planName} ${JSON.stringify([this.#before, wish])}`;
    const isWanted = !sameJson(wish, this.#before);
    if (isWanted && run.planName !== "cleanup") {
      const plan = planBetween(this.#before, wish);
      // A person may resolve a conflict by naming the plan that consumes it.
      if (plan !== undefined) assert.equal(run.planName, plan, `the plan of the change: ${why}`);
      else if (world.admission === "off")
        assert.ok(this.#byUser.has(run.planUID), `a conflict is resolved by a person alone: ${why}`);
    }
    if (!isWanted && world.admission === "off")
      assert.ok(
        run.planName === "cleanup" || this.#byUser.has(run.planUID),
        `no run without a cause: ${why}`,
      );
    this.#before = wish;
    this.runs.push({ uid: run.planUID, plan: run.planName });
  }
}

type Command =
  | { readonly do: "set"; readonly name: Name; readonly value: string }
  | { readonly do: "reset"; readonly name: Name }
  | { readonly do: "move"; readonly version: VersionName }
  | { readonly do: "trigger"; readonly plan: string; readonly uid: boolean }
  | { readonly do: "cancel"; readonly how: "empty" | "terminal" }
  | { readonly do: "version"; readonly version: VersionName; readonly there: boolean }
  /** The same event over and over, while nothing else changes. */
  | { readonly do: "replay" }
  | { readonly do: "pass"; readonly reports: readonly number[]; readonly diesBefore: 0 | 1 | 2 };

const name = fc.constantFrom(...NAMES);
const version = fc.constantFrom<VersionName>("v1", "v2", "v3");
const pass = fc.record({
  do: fc.constant("pass" as const),
  reports: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
  diesBefore: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const, 2 as const),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: pass },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("set" as const), name, value: fc.constantFrom("1", "2", "3") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move" as const), version }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("trigger" as const),
      plan: fc.constantFrom("deploy", "scale", "backup", "update", "cleanup", "nowhere"),
      uid: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      how: fc.constantFrom("empty" as const, "terminal" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("version" as const), version, there: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replay" as const) }) },
);

const reportOf = (choice: number): TaskReport => {
  if (choice < 5) return { state: "done" };
  if (choice < 7) return { state: "waiting", message: "0 of 1 pods ready" };
  if (choice < 8) return { state: "failed", message: "the server is busy" };
  if (choice < 9) return { state: "refused", reason: "ResourceValidationError", message: "it is wrong" };
  return { state: "fatal", reason: "TaskRenderingError", message: "no such key" };
};

const MOST_PASSES = 50;

/** I6, wherever a history stands: passes over a world in which nothing changes come to an end, and then write nothing. */
function replay(world: TestWorld): void {
  const once = (): boolean => {
    const { writes } = world;
    const more = world.pass(() => ({ state: "waiting", message: "0 of 1 pods ready" }));
    return more || world.writes > writes;
  };
  let passes = 0;
  while (once()) assert.ok(++passes < MOST_PASSES, "I6: passes come to an end");
  for (let again = 0; again < 3; again++) assert.ok(!once(), "I6: a replayed event writes nothing");
}

/** Users' edits, in the words of the object. */
function perform(world: TestWorld, it: Command, byUser: Set<string>, at: number): void {
  switch (it.do) {
    case "set":
      world.edit((spec) => ({ ...spec, parameters: { ...spec.parameters, [it.name]: it.value } }));
      return;
    case "reset":
      world.edit((spec) => {
        const { [it.name]: _gone, ...rest } = spec.parameters ?? {};
        return { ...spec, parameters: rest };
      });
      return;
    case "move":
      world.edit((spec) => ({ ...spec, operatorVersion: { name: it.version } }));
      return;
    case "trigger": {
      const uid = it.uid ? `user-${at}` : "";
      world.edit((spec) => ({ ...spec, planExecution: { planName: it.plan, uid } }));
      const lock = world.live.spec?.planExecution;
      if (lock?.planName === it.plan) byUser.add(lock.uid ?? "");
      return;
    }
    case "cancel":
      world.edit(({ planExecution, ...rest }) =>
        it.how === "empty" ? rest : { ...rest, planExecution: { ...planExecution, status: "FATAL_ERROR" } },
      );
      return;
    case "version":
      if (it.there)
        world.versions.set(
          it.version,
          versions.find(({ metadata }) => metadata.name === it.version) ?? assert.fail(),
        );
      else world.versions.delete(it.version);
      return;
    case "replay":
      replay(world);
      return;
    case "pass": {
      const reports = [...it.reports];
      world.pass(
        () => reportOf(reports.length > 1 ? (reports.shift() ?? 0) : (reports[0] ?? 0)),
        it.diesBefore,
      );
    }
  }
}

function play(admission: "on" | "off", commands: readonly Command[], deletes: boolean): void {
  const byUser = new Set<string>();
  const auditor = new Auditor(byUser);
  const world = new TestWorld(admission, versions, (it) => {
    // A trigger without a uid is given one by whoever sees it first.
    const lock = it.live.spec?.planExecution;
    if (wanted !== undefined && lock?.planName === wanted && (lock.uid ?? "") !== "")
      byUser.add(lock.uid ?? "");
    auditor.look(it);
  });
  let wanted: string | undefined;
  world.create({ operatorVersion: { name: "v1" } });
  for (const [at, it] of commands.entries()) {
    if (it.do === "trigger" && !it.uid) wanted = it.plan;
    perform(world, it, byUser, at);
    if (world.live.spec?.planExecution === undefined) wanted = undefined;
  }
  for (const one of versions) world.versions.set(one.metadata.name, one);
  if (deletes) {
    world.delete();
    world.settle();
    const { instance } = world;
    const cleanup = instance?.status?.planStatus?.cleanup;
    if (instance !== undefined)
      assert.ok(cleanup?.status === "FATAL_ERROR", "it stays only where cleanup failed");
    return;
  }
  world.settle();
  const { spec, status } = world.live;
  assert.equal(spec?.planExecution, undefined, "at rest nothing holds the lock, nor is left of it");
  const refusal = status?.conditions?.find(
    ({ type, status: said }) => type === "PlanScheduled" && said === "False",
  );
  const isConsumed = sameJson(wishOf(status?.lastStarted), wishOf(spec));
  if (refusal?.reason === "ConflictingTriggers") {
    assert.equal(planBetween(wishOf(status?.lastStarted), wishOf(spec)), undefined, "it does conflict");
  } else assert.ok(isConsumed, "I5: every change is consumed");
  const { writes } = world;
  for (let again = 0; again < 3; again++) world.pass(() => ({ state: "done" }));
  assert.equal(world.writes, writes, "I6: at rest nothing is written");
}

/** Plays so many histories with admission and without it, and half as many that end with a deletion. */
export function turnProperties(histories: number): void {
  describe.each(["off", "on"] as const)("whatever users and crashes do, with admission %s", (admission) => {
    test("no plan runs twice for one cause, none is lost, and one runs at a time", () => {
      fc.assert(
        fc.property(fc.array(command, { minLength: 1, maxLength: 40 }), (commands) =>
          play(admission, commands, false),
        ),
        { numRuns: histories },
      );
    });
    test("a deletion runs cleanup once, and ends", () => {
      fc.assert(
        fc.property(fc.array(command, { minLength: 1, maxLength: 20 }), (commands) =>
          play(admission, commands, true),
        ),
        { numRuns: histories / 2 },
      );
    });
  });
}
