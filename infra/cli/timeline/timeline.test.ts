import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import { paintFor, plain } from "../style.ts";
import { isTelling, runLine } from "./timeline.ts";

const run: RunRecord = {
  id: "1",
  function: "web",
  key: "c/example.org/Web/team/shop",
  lane: "urgent",
  attempt: 1,
  startedAt: "2026-01-01T00:00:00.000Z",
  milliseconds: 12,
  traceparent: "",
  causes: [
    {
      sort: "own",
      eventId: "e",
      type: "resource.changed",
      subject: "example.org/Web/team/shop",
      revives: false,
      at: "2026-01-01T00:00:00.000Z",
    },
  ],
  reads: [],
  writes: [],
  outcome: "done",
  waitingFor: [],
  deadlines: {},
};

describe("a line of the timeline", () => {
  it("tells event, function, key, writes, waits and duration", () => {
    const line = runLine(
      {
        ...run,
        outcome: "waiting",
        waitingFor: ["Database team/main"],
        writes: [
          {
            verb: "apply",
            subject: "/ConfigMap/team/shop",
            paths: ["metadata.labels", "data.a"],
            sent: true,
          },
          { verb: "apply", subject: "/Secret/team/left", paths: ["data"], sent: false },
          { verb: "create", subject: "apps/Deployment/other/shop", paths: ["spec"], sent: true },
          { verb: "status", subject: "example.org/Web/team/shop", paths: ["status.ready"], sent: true },
          { verb: "note", subject: "/Event/team/x", paths: [], sent: true },
        ],
      },
      () => "new",
      plain,
    );
    assert.match(
      line,
      /^\d\d:\d\d:\d\d\.012 Web team\/shop new → web Web team\/shop │ apply ConfigMap shop \(data\.a\); create Deployment other\/shop; status \(ready\); an Event; waits for Database team\/main · 12ms$/,
    );
  });

  it("tells errors with what comes next", () => {
    const error = { code: "X", message: "the disk is full" };
    assert.match(
      runLine({ ...run, outcome: "retry", attempt: 3, error }, () => undefined, plain),
      /failed, tries again \(attempt 3\): the disk is full/,
    );
    assert.match(
      runLine({ ...run, outcome: "dead", error }, () => undefined, plain),
      /failed for good: the disk is full/,
    );
  });

  it("is cut where a width is given, in what was done, and ends as it always does", () => {
    const error = { code: "X", message: "no ".repeat(200) };
    const failed = { ...run, outcome: "dead", error } as const;
    const whole = runLine(failed, () => undefined, plain);
    const cut = runLine(failed, () => undefined, plain, 140);
    assert.ok(whole.length > 600);
    assert.equal(cut.length, 140);
    assert.match(cut, /… · \d+ms$/);
    assert.equal(
      runLine(failed, () => undefined, plain, 10_000),
      whole,
    );
    assert.ok(runLine(failed, () => undefined, plain, 10).includes("│ "), "never cut to nothing");
  });

  it("tells of many waits and deadlines the first, and how many more there are", () => {
    const at = (minute: number): string => `2026-01-01T00:0${minute}:00.000Z`;
    const many = {
      ...run,
      outcome: "waiting" as const,
      waitingFor: ["a", "b", "c", "d", "e"],
      deadlines: { third: at(3), first: at(1), second: at(2) },
    };
    assert.match(
      runLine(many, () => undefined, plain),
      /│ waits for a; b; c; and 2 more; looks again at 2026-01-01T00:01:00\.000Z \(first, then 2 more\) ·/,
    );
  });

  it("is told only where something was done or is awaited", () => {
    assert.equal(isTelling(run), false);
    const unsent = { verb: "apply", subject: "/ConfigMap/team/shop", paths: [], sent: false } as const;
    assert.equal(isTelling({ ...run, writes: [unsent] }), false);
    assert.equal(isTelling({ ...run, writes: [{ ...unsent, sent: true }] }), true);
    assert.equal(isTelling({ ...run, outcome: "waiting", waitingFor: ["x"] }), true);
  });

  it("has colours on a terminal alone, and none where NO_COLOR is set", () => {
    assert.equal(paintFor({ isTTY: false }, {})("red", "x"), "x");
    assert.equal(paintFor({ isTTY: true }, { NO_COLOR: "1" })("red", "x"), "x");
    assert.equal(paintFor({ isTTY: true }, {})("red", "x"), "\u001b[31mx\u001b[39m");
  });
});
