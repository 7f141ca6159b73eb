import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterVersionStatus } from "../../../kinds/index.ts";
import { offersNow, type Retrieval, storedPart, updatesStatus } from "./available-status.ts";
import type { Offers } from "./offers.ts";
import type { Exposures } from "./risk-exposure.ts";

const NOW = "2026-02-03T09:00:00.000Z";
const hoursAgo = (hours: number): string => new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();
const release = (version: string) => ({ version, image: `reg.example/rel:${version}` });
const risk = {
  name: "Leaks",
  url: "https://risk.example",
  message: "It leaks.",
  matchingRules: [{ type: "Always" as const }],
};
const failing = (reason: string): Retrieval => ({
  state: "failed",
  verdict: { status: "False", reason, message: "Unable to retrieve available updates: x" },
});
const stored = (told?: {
  status: "True" | "False";
  reason?: string;
  since: string;
}): ClusterVersionStatus => ({
  desired: release("5.1.9"),
  observedGeneration: 1,
  versionHash: "x",
  availableUpdates: [release("5.1.11"), release("5.1.10")],
  conditionalUpdates: [
    { release: release("5.1.11"), risks: [risk], conditions: [] },
    { release: release("5.2.0"), risks: [risk], conditions: [] },
  ],
  conditions:
    told === undefined
      ? []
      : [
          { type: "Available", status: "True", lastTransitionTime: hoursAgo(99) },
          {
            type: "RetrievedUpdates",
            status: told.status,
            lastTransitionTime: told.since,
            ...(told.reason !== undefined && { reason: told.reason }),
          },
        ],
});
const versions = ({ updates, conditional }: Offers) => [
  updates.map(({ version }) => version),
  conditional.map((offer) => offer.release.version),
];

describe("what is offered while the service cannot be heard", () => {
  const same = { sameQuestion: true, now: NOW };
  const KEPT = [["5.1.10"], ["5.1.11", "5.2.0"]];
  const NOTHING = [[], []];
  for (const [name, reason, told, question, expected] of [
    [
      "what was offered, from the first failure",
      "RemoteFailed",
      { status: "True", since: hoursAgo(99) },
      same,
      KEPT,
    ],
    ["and on a bad answer", "ResponseFailed", { status: "True", since: hoursAgo(99) }, same, KEPT],
    ["and on one that is no graph", "ResponseInvalid", { status: "True", since: hoursAgo(99) }, same, KEPT],
    ["for less than a day", "RemoteFailed", { status: "False", since: hoursAgo(23.9) }, same, KEPT],
    ["nothing after a day", "RemoteFailed", { status: "False", since: hoursAgo(24) }, same, NOTHING],
    [
      "nothing to another question",
      "RemoteFailed",
      { status: "True", since: hoursAgo(1) },
      { ...same, sameQuestion: false },
      NOTHING,
    ],
    [
      "nothing where the graph does not know the version",
      "VersionNotFound",
      { status: "True", since: hoursAgo(1) },
      same,
      NOTHING,
    ],
    [
      "nothing where nothing can be asked",
      "NoChannel",
      { status: "True", since: hoursAgo(1) },
      same,
      NOTHING,
    ],
  ] as const)
    test(name, () =>
      assert.deepEqual(versions(offersNow(failing(reason), stored(told), question)), expected),
    );
});

describe("what is stored", () => {
  const nobody: Exposures = new Map();
  const applies: Exposures = new Map([["Leaks", { state: "applies" }]]);
  const spared: Exposures = new Map([["Leaks", { state: "does not apply" }]]);
  const offers: Offers = {
    updates: [release("5.1.10")],
    conditional: [{ release: release("5.2.0"), risks: [risk] }],
    omitted: [],
  };
  const said = (more: object = {}) => ({
    retrieval: { state: "offers", offers } as const,
    offers,
    exposures: applies,
    acceptedRisks: new Set<string>(),
    ...more,
  });
  const recommended = (status: ReturnType<typeof updatesStatus>) =>
    status.conditionalUpdates?.[0]?.conditions?.[0];

  test("updates that are not recommended stay apart", () => {
    const status = updatesStatus(said(), undefined, NOW);
    assert.deepEqual(status.availableUpdates, [release("5.1.10")]);
    assert.deepEqual(recommended(status), {
      type: "Recommended",
      status: "False",
      reason: "Leaks",
      message: "It leaks. https://risk.example",
      lastTransitionTime: "2026-02-03T09:00:00Z",
    });
    assert.deepEqual(status.conditions, [
      { type: "RetrievedUpdates", status: "True", lastTransitionTime: "2026-02-03T09:00:00Z" },
    ]);
  });
  test("those that are recommended join the available ones, newest first", () => {
    const status = updatesStatus(said({ exposures: spared }), undefined, NOW);
    assert.deepEqual(status.availableUpdates, [release("5.2.0"), release("5.1.10")]);
    assert.equal(recommended(status)?.status, "True");
  });
  test("and so does one whose risk is accepted", () => {
    const status = updatesStatus(said({ acceptedRisks: new Set(["Leaks"]) }), undefined, NOW);
    assert.deepEqual(
      [status.availableUpdates?.length, recommended(status)?.reason],
      [2, "AllExposedRisksAccepted"],
    );
  });
  test("nothing is null, and no conditional updates are none", () => {
    const none = { updates: [], conditional: [], omitted: [] };
    const status = updatesStatus(said({ offers: none, exposures: nobody }), undefined, NOW);
    assert.deepEqual([status.availableUpdates, "conditionalUpdates" in status], [null, false]);
  });
  test("the same finding later changes nothing, not even a time", () => {
    const first = updatesStatus(said(), undefined, NOW);
    const status = { ...stored(), ...first };
    assert.deepEqual(updatesStatus(said(), status, "2026-02-03T10:00:00.000Z"), storedPart(status));
  });
  test("a verdict that flips has the time of the flip", () => {
    const status = { ...stored(), ...updatesStatus(said(), undefined, NOW) };
    const later = updatesStatus(said({ exposures: spared }), status, "2026-02-03T10:00:00.000Z");
    assert.equal(recommended(later)?.lastTransitionTime, "2026-02-03T10:00:00Z");
  });
  test("what was left out is told", () => {
    const status = updatesStatus(
      said({ offers: { ...offers, omitted: ["5.3.0: it names no risks"] } }),
      undefined,
      NOW,
    );
    assert.deepEqual(
      [status.conditions[0]?.reason, status.conditions[0]?.message],
      ["UpdatesOmitted", "Updates that cannot be listed: 5.3.0: it names no risks"],
    );
  });
  test("what a service offers always fits into the object, and what does not is named", () => {
    const long = { ...risk, message: "It leaks. ".repeat(400) };
    const many = Array.from({ length: 400 }, (_, n) => ({
      release: release(`5.1.${999 - n}`),
      risks: [long],
    }));
    const plain = Array.from({ length: 9_000 }, (_, n) => release(`5.1.${99_999 - n}`));
    const status = updatesStatus(
      said({ offers: { updates: plain, conditional: many, omitted: [] }, exposures: new Map() }),
      undefined,
      NOW,
    );
    assert.ok(Buffer.byteLength(JSON.stringify(status)) < 1_000_000);
    assert.equal(status.conditionalUpdates?.[0]?.release.version, "5.1.999");
    assert.match(
      status.conditions[0]?.message ?? "",
      /: \d+ updates for which there is no room, 5\.1\.\d+ and older, \d+ updates under risks for which there is no room, /,
    );
  });
  test("why nothing could be retrieved is told", () => {
    const status = updatesStatus(said({ retrieval: failing("RemoteFailed") }), undefined, NOW);
    assert.deepEqual([status.conditions[0]?.status, status.conditions[0]?.reason], ["False", "RemoteFailed"]);
  });
});
