import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import type { Finished } from "../../../shared/bus/contract.ts";
import { type EmbeddedBus, openEmbeddedBus } from "../../../shared/bus/embedded/index.ts";
import type { Cause } from "../../../shared/bus/item.ts";
import type { RecordedWrite, RunRecord } from "../../../shared/bus/run-record.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { explain } from "./chain.ts";
import { resolveSubject } from "./resolve.ts";
import { explanationText } from "./text.ts";

const team = "example.org/Team//blue";
const web = "apps/Deployment/blue/web";
const kinds = [
  {
    group: "apps",
    version: "v1",
    kind: "Deployment",
    plural: "deployments",
    singular: "deployment",
    shortNames: ["deploy"],
    scope: "Namespaced" as const,
  },
];

const cause = (subject: string, resourceVersion: string, more: Partial<Cause> = {}): Cause => ({
  sort: "own",
  eventId: `${subject}@${resourceVersion}`,
  type: "resource.changed",
  subject,
  uid: `uid of ${subject}`,
  resourceVersion,
  generation: 1,
  revives: false,
  at: "2026-01-01T00:00:00.000Z",
  ...more,
});
const write = (verb: RecordedWrite["verb"], subject: string, resourceVersion: string): RecordedWrite => ({
  verb,
  subject,
  uid: `uid of ${subject}`,
  resourceVersion,
  paths: ["spec.replicas"],
  sent: true,
});
const event = (subject: string, resourceVersion: string, time: string): Envelope => {
  const [group = "", kind = "", namespace = "", name = ""] = subject.split("/");
  return {
    specversion: "1.0",
    id: `${subject}@${resourceVersion}`,
    type: "resource.changed",
    source: "/clusters/c",
    subject,
    time,
    datacontenttype: "application/json",
    data: {
      ref: {
        cluster: "c",
        group,
        version: "v1",
        kind,
        ...(namespace === "" ? {} : { namespace }),
        name,
        uid: `uid of ${subject}`,
      },
      era: 0,
      resourceVersion,
      generation: 1,
      lane: "urgent",
      differs: ["object"],
      facts: {},
      seen: [],
      incomplete: false,
      owners: [],
      deleting: false,
    },
  };
};

/** A bus on which runs end as the given records say. */
async function historyOf(
  t: { onTestFinished(end: () => Promise<void>): void },
  runs: readonly Partial<RunRecord>[],
  events: readonly Envelope[],
): Promise<EmbeddedBus> {
  const bus = openEmbeddedBus({ file: ":memory:", route: () => [], clock: systemClock });
  t.onTestFinished(() => bus.close());
  const { refused } = await bus.publish(events);
  assert.deepEqual(refused, []);
  for (const [index, run] of runs.entries()) {
    const record: RunRecord = {
      id: `run-${index}`,
      function: "teams",
      key: `c/${team}`,
      lane: "urgent",
      attempt: 1,
      startedAt: `2026-01-01T00:00:0${index + 1}.000Z`,
      milliseconds: 5,
      traceparent: "",
      causes: [],
      reads: [],
      writes: [],
      outcome: "done",
      waitingFor: [],
      deadlines: {},
      ...run,
    };
    const finished: Finished = {
      state: "finished",
      echoes: [],
      waits: [],
      deadlines: {},
      net: undefined,
      again: false,
      enqueue: [],
      run: record,
    };
    await new Promise<void>((resolve, reject) => {
      const consumer = bus.consume({ parallel: 1 }, async () => finished);
      const stop = bus.subscribe({
        ran: () => {
          stop();
          consumer.stop().then(resolve, reject);
        },
      });
      const given = record.causes[0] ?? cause(team, "0");
      bus
        .enqueue([{ function: record.function, key: record.key, lane: "urgent", cause: given }])
        .catch(reject);
    });
  }
  return bus;
}

describe("why", () => {
  const runs: readonly Partial<RunRecord>[] = [
    {
      causes: [cause(team, "10")],
      writes: [write("apply", web, "11")],
      outcome: "waiting",
      waitingFor: ["web"],
    },
    // Somebody else made the child ready; the status follows from that.
    {
      causes: [cause(web, "15", { sort: "child" })],
      reads: [{ subject: web }],
      writes: [write("status", team, "16")],
    },
  ];
  const events = [
    event(team, "10", "2026-01-01T00:00:00.900Z"),
    event(web, "15", "2026-01-01T00:00:01.500Z"),
  ];

  it("tells the edit, the child that it led to, what became of the child, and the status that followed", async (t) => {
    const bus = await historyOf(t, runs, events);
    const { steps, incomplete } = await explain(bus, team);
    assert.equal(incomplete, false);
    assert.deepEqual(
      steps.map((step) => (step.step === "event" ? step.subject : step.run.id)),
      [team, "run-0", web, "run-1"],
    );
  });

  it("tells of a child who made it, from its owner's edit on", async (t) => {
    const bus = await historyOf(t, runs, events);
    const { steps } = await explain(bus, web);
    assert.deepEqual(
      steps.map((step) => (step.step === "event" ? step.subject : step.run.id)),
      [team, "run-0"],
    );
  });

  it("tells of an object that is gone who made it, who deleted it, and what that led to", async (t) => {
    const gone = (subject: string): Cause =>
      cause(subject, "20", { type: "resource.deleted", eventId: `${subject} gone` });
    const bus = await historyOf(
      t,
      [
        ...runs,
        { causes: [cause(team, "18")], writes: [write("remove", web, "19")] },
        { causes: [{ ...gone(web), sort: "child" }] },
        { causes: [gone(team)] },
      ],
      events,
    );
    const toldOf = async (subject: string): Promise<readonly (string | undefined)[]> =>
      (await explain(bus, subject)).steps.map((step) =>
        step.step === "event" ? `${step.subject} ${step.type}` : step.run.id,
      );
    assert.deepEqual((await toldOf(web)).toSorted(), [
      `${web} resource.deleted`,
      `${team} resource.changed`,
      `${team} resource.changed`,
      "run-0",
      "run-2",
      "run-3",
    ]);
    const team_ = await toldOf(team);
    assert.ok(team_.includes(`${team} resource.deleted`) && team_.includes("run-4"), team_.join());
    assert.ok(team_.includes("run-0") && team_.includes("run-1"), team_.join());
  });

  it("follows a version to the run that wrote it, and a retry to the attempt before", async (t) => {
    const bus = await historyOf(
      t,
      [
        { causes: [cause(team, "10")], writes: [write("apply", web, "11")] },
        {
          function: "webs",
          key: `c/${web}`,
          causes: [cause(web, "11")],
          outcome: "retry",
          error: { code: "X", message: "no" },
        },
        {
          function: "webs",
          key: `c/${web}`,
          causes: [cause(web, "11", { sort: "retry", eventId: "run-1" })],
          writes: [write("status", web, "12")],
        },
      ],
      events,
    );
    const { steps } = await explain(bus, web);
    assert.deepEqual(
      steps.map((step) => (step.step === "event" ? step.subject : step.run.id)),
      [team, "run-0", "run-1", "run-2"],
    );
    const text = explanationText(
      await explain(bus, web),
      undefined,
      (_, plain) => plain,
      Date.parse(events[0]?.time ?? ""),
    );
    assert.match(text, /^Deployment blue\/web\n/);
    assert.match(text, /→ webs Deployment blue\/web: failed, tries again \(attempt 1\): no/);
  });

  it("finds an object by each spelling of its kind, and says what it knows where it finds none", async (t) => {
    const { history } = await historyOf(t, runs, events);
    for (const spelled of ["Deployment/web", "deploy/web", "deployments.apps/web"])
      assert.equal(await resolveSubject(spelled, undefined, kinds, history), web);
    // The history alone knows the kind of a function that is gone.
    assert.equal(await resolveSubject("team/blue", undefined, kinds, history), team);
    await assert.rejects(resolveSubject("deploy/web", "red", kinds, history), { code: "CLI_NO_HISTORY" });
    await assert.rejects(resolveSubject("nope/web", undefined, kinds, history), /they know Deployment, Team/);
  });
});
