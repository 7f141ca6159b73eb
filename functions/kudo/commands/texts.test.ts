import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { KubeError } from "../../../shared/kube/errors.ts";
import type { InstanceStatus, OperatorVersionSpec } from "../kinds/index.ts";
import { withoutSecrets } from "./diagnostics.ts";
import { runOf, standingOf } from "./follow.ts";
import { historyTree, planTree } from "./plan-text.ts";
import type { AnInstance, AVersion } from "./read.ts";
import { screenFor } from "./screen.ts";
import { refusalOf } from "./write.ts";

const metadata = { name: "shopdb", namespace: "shop", uid: "u", resourceVersion: "1" };
const instance = (status: InstanceStatus | undefined, spec: AnInstance["spec"] = {}): AnInstance =>
  ({
    metadata,
    spec: { operatorVersion: { name: "pgmini-14.2-0.3.0" }, ...spec },
    ...(status !== undefined && { status }),
  }) as AnInstance;
const version = (plans: OperatorVersionSpec["plans"]): AVersion =>
  ({ metadata: { ...metadata, name: "pgmini-14.2-0.3.0" }, spec: { plans } }) as AVersion;
const PLANS: OperatorVersionSpec["plans"] = {
  scale: { phases: [{ name: "main", strategy: "parallel", steps: [{ name: "nodes", tasks: ["n"] }] }] },
  deploy: { strategy: "serial", phases: [{ name: "main", steps: [{ name: "nodes" }, { name: "check" }] }] },
};
const RUNNING: InstanceStatus = {
  aggregatedStatus: { status: "IN_PROGRESS", activePlanName: "scale", activePlanUID: "7b1e" },
  planStatus: {
    scale: {
      name: "scale",
      uid: "7b1e",
      status: "IN_PROGRESS",
      lastUpdatedTimestamp: "2026-01-05T10:00:04Z",
      phases: [
        {
          name: "main",
          status: "IN_PROGRESS",
          steps: [{ name: "nodes", status: "IN_PROGRESS", message: "statefulset shopdb: 2 of 3 pods ready" }],
        },
      ],
    },
    deploy: { name: "deploy", uid: "02aa", status: "COMPLETE", finishedTimestamp: "2026-01-05T09:00:00Z" },
  },
};

describe("the tree of plans", () => {
  it("shows the one that runs with what it waits for, and the others as not active", () =>
    assert.equal(
      planTree(instance(RUNNING), version(PLANS)),
      `Plan(s) for "shopdb" in namespace "shop":
.
└── shopdb (Operator-Version: "pgmini-14.2-0.3.0" Active-Plan: "scale")
    ├── Plan deploy (serial strategy) [NOT ACTIVE]
    │   └── Phase main (serial strategy) [NOT ACTIVE]
    │       ├── Step nodes [NOT ACTIVE]
    │       └── Step check [NOT ACTIVE]
    └── Plan scale (serial strategy) [IN_PROGRESS], last updated 2026-01-05 10:00:04
        └── Phase main (parallel strategy) [IN_PROGRESS]
            └── Step nodes [IN_PROGRESS] (statefulset shopdb: 2 of 3 pods ready)`,
    ));

  it("says so where no plan ever ran, why nothing begins, and what ran well before a failure", () => {
    assert.equal(
      planTree(instance(undefined), version(PLANS)),
      "No plan ever run for instance - nothing to show for instance shopdb",
    );
    const consumed = { execution: 1, planName: "deploy", planUID: "a", operatorVersion: { name: "v1" } };
    const text = planTree(
      instance({
        lastStarted: { ...consumed, execution: 2, planUID: "b" },
        lastSucceeded: { ...consumed, parameters: { N: "2" } },
        planStatus: { deploy: { name: "deploy", uid: "b", status: "FATAL_ERROR", message: "no" } },
        conditions: [
          {
            type: "PlanScheduled",
            status: "False",
            reason: "ConflictingTriggers",
            message: "two plans",
            lastTransitionTime: "2026-01-05T10:00:00Z",
          },
        ],
      }),
      undefined,
    );
    assert.match(text, /Plan deploy \(serial strategy\) \[FATAL_ERROR\] \(no\)\n/);
    assert.match(text, /\nNothing further begins \(ConflictingTriggers\): two plans\n/);
    assert.match(text, /\nThe last run that succeeded was deploy of v1 with \{"N":"2"\}\.$/);
  });

  it("of an Instance of upstream takes the plan that was touched last", () =>
    assert.match(
      planTree(
        instance({
          planStatus: {
            deploy: { name: "deploy", status: "COMPLETE", lastUpdatedTimestamp: "2021-01-01T00:00:00Z" },
            scale: { name: "scale", status: "COMPLETE", lastUpdatedTimestamp: "2021-02-01T00:00:00Z" },
            backup: { name: "backup", status: "NEVER_RUN", lastUpdatedTimestamp: null },
          },
        }),
        version(PLANS),
      ),
      /Active-Plan: "scale"/,
    ));

  it("of the history has a line for each plan", () =>
    assert.equal(
      historyTree(
        instance({ planStatus: { ...RUNNING.planStatus, backup: { name: "backup", status: "NEVER_RUN" } } }),
      ),
      `.
├── backup (never run)
├── deploy (last finished run at 2026-01-05T09:00:00 (COMPLETE))
└── scale (is running)`,
    ));

  it("of the history tells of the last runs, too", () => {
    const run = {
      ...{ execution: 7, planName: "deploy", planUID: "u", operatorVersion: "web-1.0" },
      startedTimestamp: "2026-01-05T09:00:00Z",
      finishedTimestamp: "2026-01-05T09:00:04Z",
    };
    assert.equal(
      historyTree(
        instance({
          history: [
            { ...run, status: "COMPLETE" },
            { ...run, execution: 8, status: "FATAL_ERROR", message: "superseded" },
          ],
        }),
      ).replace(/^.*?\n\n/s, ""),
      `Last runs:
7. deploy of web-1.0 from 2026-01-05 09:00:00 to 2026-01-05 09:00:04 [COMPLETE]
8. deploy of web-1.0 from 2026-01-05 09:00:00 to 2026-01-05 09:00:04 [FATAL_ERROR] (superseded)`,
    );
  });

  it("says what is gone", () => {
    const gone = {
      ...({ type: "Drifted", status: "True", reason: "ObjectsMissing" } as const),
      message: "deployment web is gone",
      lastTransitionTime: "2026-01-05T10:00:00Z",
    };
    assert.match(
      planTree(instance({ ...RUNNING, conditions: [gone] }), version(PLANS)),
      /\n\nDrifted: deployment web is gone$/,
    );
  });
});

describe("a screen", () => {
  const shown = (isTerminal: boolean): readonly [printed: string[], said: string[]] => {
    const [printed, said]: [string[], string[]] = [[], []];
    const screen = screenFor(
      { print: (text) => void printed.push(text), say: (text) => void said.push(text) },
      version(PLANS),
      isTerminal,
    );
    for (const one of [RUNNING, RUNNING]) screen.told(instance(one), true);
    screen.end();
    return [printed, said];
  };

  it("is drawn anew in its place on a terminal, where anything changed", () => {
    const [printed, said] = shown(true);
    assert.deepEqual([printed.length, said], [1, []]);
  });

  it("is lines for what changed elsewhere, and the tree at the end", () => {
    const [printed, said] = shown(false);
    assert.deepEqual(said, [
      "scale.main.nodes [IN_PROGRESS] (statefulset shopdb: 2 of 3 pods ready)",
      "scale [IN_PROGRESS]",
    ]);
    assert.equal(printed.length, 1);
  });
});

it("of a run that has not begun says nothing about the one before", () => {
  const said: string[] = [];
  const tools = { print: () => undefined, say: (text: string) => void said.push(text) };
  screenFor(tools, version(PLANS), false).told(instance(RUNNING), false);
  assert.deepEqual(said, []);
});

describe("the run that is followed", () => {
  const lock = { planName: "scale", uid: "7b1e", status: "NEVER_RUN" as const };

  it("is the one whose uid the write returned", () => {
    const wanted = runOf(instance(undefined), instance(undefined, { planExecution: lock }), undefined);
    assert.deepEqual(wanted, { by: "uid", uid: "7b1e" });
    assert.equal(standingOf(instance(undefined, { planExecution: lock }), wanted).state, "not begun");
    assert.equal(standingOf(instance(RUNNING), wanted).state, "running");
    const ended = (status: "COMPLETE" | "FATAL_ERROR", spec?: object) =>
      standingOf(instance({ planStatus: { scale: { name: "scale", uid: "7b1e", status } } }, spec), wanted)
        .state;
    assert.deepEqual([ended("COMPLETE"), ended("FATAL_ERROR")], ["complete", "failed"]);
    // Until its lock is let go of, the next request is refused for its sake.
    assert.equal(ended("COMPLETE", { planExecution: lock }), "running");
  });

  it("is none of before: a plan of the same name that is complete counts for nothing", () =>
    assert.equal(
      standingOf(
        instance(
          { planStatus: { scale: { name: "scale", uid: "old", status: "COMPLETE" } } },
          { planExecution: lock },
        ),
        { by: "uid", uid: "7b1e" },
      ).state,
      "not begun",
    ));

  it("is over where another one took its place", () => {
    const other = { planName: "scale", uid: "other", status: "NEVER_RUN" as const };
    const begun = { execution: 3, planName: "scale", planUID: "other", operatorVersion: { name: "v" } };
    assert.equal(
      standingOf(
        instance(
          {
            lastStarted: begun,
            planStatus: { scale: { name: "scale", uid: "other", status: "IN_PROGRESS" } },
          },
          { planExecution: other },
        ),
        { by: "uid", uid: "7b1e" },
      ).state,
      "superseded",
    );
  });

  it("gave way where its request is gone, once the pass that saw it go has told why", () => {
    const wanted = { by: "uid", uid: "7b1e" } as const;
    const told = {
      type: "PlanScheduled" as const,
      status: "False" as const,
      reason: "PlanNotBegun",
      message: "plan scale was asked for with uid 7b1e, and is not begun",
      lastTransitionTime: "2026-01-05T10:00:00Z",
    };
    const at = (observedGeneration: number, status: InstanceStatus) => {
      const it = instance({ observedGeneration, ...status });
      return standingOf({ ...it, metadata: { ...it.metadata, generation: 3 } }, wanted);
    };
    assert.equal(at(2, { conditions: [told] }).state, "not begun");
    assert.deepEqual(at(3, { conditions: [told] }), {
      state: "refused",
      message: `${told.reason}: ${told.message}`,
    });
    assert.equal(at(3, {}).state, "not begun");
  });

  it("is found among those before, where its plan has run again since", () => {
    const ended = (status: "COMPLETE" | "FATAL_ERROR") =>
      standingOf(
        instance({
          history: [{ execution: 2, planName: "scale", planUID: "7b1e", status }],
          planStatus: { scale: { name: "scale", uid: "later", status: "COMPLETE" } },
        }),
        { by: "uid", uid: "7b1e" },
      ).state;
    assert.deepEqual([ended("COMPLETE"), ended("FATAL_ERROR")], ["complete", "failed"]);
  });

  it("is none where what was written is what the last run consumed, once that was looked at", () => {
    const sized = { ...version(PLANS), spec: { plans: PLANS, parameters: [{ name: "N", default: "3" }] } };
    const spec = { operatorVersion: { name: "pgmini-14.2-0.3.0" }, parameters: { N: "3" } };
    const at = (observedGeneration: number, consumed: string, lock?: object) => {
      const it = instance(
        {
          observedGeneration,
          executions: 4,
          lastStarted: {
            ...{ execution: 4, planName: "deploy", planUID: "x", operatorVersion: spec.operatorVersion },
            parameters: consumed === "" ? {} : { N: consumed },
          },
        },
        { ...spec, ...lock },
      );
      const now = { ...it, metadata: { ...it.metadata, generation: 7 } };
      return standingOf(now, { by: "spec", after: 4, spec, generation: 7, version: sized }).state;
    };
    assert.deepEqual(
      [at(6, "3"), at(7, "3"), at(7, ""), at(7, "2"), at(7, "3", { planExecution: lock })],
      ["not begun", "nothing to do", "nothing to do", "not begun", "not begun"],
    );
  });

  it("without admission is the first one that consumes what was written", () => {
    const parameters = { N: "3" };
    const wanted = runOf(instance({ executions: 4 }), instance({ executions: 4 }, { parameters }), undefined);
    const after = (execution: number, consumed: Readonly<Record<string, string>>) =>
      standingOf(
        instance(
          {
            lastStarted: {
              execution,
              planName: "scale",
              planUID: "x",
              operatorVersion: { name: "pgmini-14.2-0.3.0" },
              parameters: consumed,
            },
            planStatus: { scale: { name: "scale", uid: "x", status: "COMPLETE" } },
          },
          { parameters },
        ),
        wanted,
      ).state;
    const refused = (observedGeneration: number) =>
      standingOf(
        instance({
          observedGeneration,
          conditions: [
            {
              type: "PlanScheduled",
              status: "False",
              reason: "InvalidParameters",
              message: "N is no number",
              lastTransitionTime: "2026-01-05T10:00:00Z",
            },
          ],
        }),
        { by: "spec", after: 4, spec: { parameters }, generation: 7, version: undefined },
      ).state;
    assert.deepEqual([refused(6), refused(7)], ["not begun", "refused"]);
    assert.equal(after(4, parameters), "not begun");
    assert.equal(after(5, { N: "2" }), "not begun");
    assert.equal(after(5, parameters), "complete");
  });
});

it("a refusal of admission is told in its own words", () => {
  const details = { request: "PATCH /x", status: { code: 403, message: "" } };
  const refused = (message: string) =>
    refusalOf(
      new KubeError("forbidden", `PATCH /x: ${message}`, { ...details, status: { code: 403, message } }),
    );
  const said = "failed to update Instance default/a: plan x does not exist";
  assert.equal(refused(`admission webhook "instance-admission.kudo.dev" denied the request: ${said}`), said);
  assert.equal(refused("you may not"), "PATCH /x: you may not");
});

it("a diagnosis hides what sounds secret, wherever it stands", () =>
  assert.deepEqual(
    withoutSecrets({
      metadata: {
        name: "password-store",
        managedFields: [{ manager: "x" }],
        annotations: { "kudo.dev/last-applied-configuration": '{"a":"b"}' },
      },
      spec: {
        parameters: { PASSWORD: "hunter2", REPLICAS: "3", API_KEY: "k" },
        env: [
          { name: "DB_PASSWORD", value: "hunter2" },
          { name: "HOST", value: "db" },
        ],
        declared: [{ name: "PASSWORD", default: "password" }],
      },
    }),
    {
      metadata: {
        name: "password-store",
        annotations: { "kudo.dev/last-applied-configuration": "(not shown)" },
      },
      spec: {
        parameters: { PASSWORD: "(not shown)", REPLICAS: "3", API_KEY: "(not shown)" },
        env: [
          { name: "DB_PASSWORD", value: "(not shown)" },
          { name: "HOST", value: "db" },
        ],
        declared: [{ name: "PASSWORD", default: "(not shown)" }],
      },
    },
  ));
