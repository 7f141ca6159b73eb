import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type AskedAddon, type AskedWorld, isToBeStored, mayUpgrade, servedHook } from "./answer.ts";
import { ASKED_ANNOTATION, type Asked, askedIn, askedText } from "./asked.ts";

const NEW = "s-1-31-v1";
const OLD = "s-1-30-v1";
const stages = (...phases: readonly string[]) =>
  phases.map((phase, index) => ({ name: `stage-${index}`, phase }));
const target = (clusterStack: string, hook?: string) => ({ clusterStack, hook });
const asked = (hook: Asked["hook"], clusterStack = NEW): Asked => ({
  hook,
  clusterStack,
  version: "v1.31.1",
});
const BEFORE = "BeforeClusterUpgrade";
const AFTER = "AfterClusterUpgrade";

const RESTING: AskedAddon = {
  clusterStack: OLD,
  asked: undefined,
  target: target(OLD, "AfterControlPlaneInitialized"),
  stages: stages("done"),
  message: undefined,
};
const world = (addon: Partial<AskedAddon> | undefined, wanted: string | undefined = NEW): AskedWorld => ({
  wanted,
  addon: addon && { ...RESTING, ...addon },
});
const RUNNING = world({
  target: target(NEW, BEFORE),
  stages: stages("done", "waitingForPostCondition"),
  message: "it is not so yet",
});
const DONE = world({ clusterStack: NEW, target: target(NEW, BEFORE), stages: stages("done") });

describe("may Cluster API upgrade", () => {
  const rows: readonly (readonly [
    title: string,
    clusterStack: string,
    world: AskedWorld,
    message: RegExp | undefined,
  ])[] = [
    ["a Cluster of another's class", NEW, { wanted: undefined, addon: undefined }, undefined],
    ["a Cluster whose addons are not known yet", NEW, world(undefined), /is not there yet/],
    ["before anything was begun", NEW, world({}), /of s-1-31-v1 are not installed yet$/],
    ["in the midst of it", NEW, RUNNING, /stage stage-1: waitingForPostCondition: it is not so yet/],
    [
      "in the midst of it, and paused",
      NEW,
      { ...RUNNING, paused: "Cluster demo is paused" },
      /stage stage-1: waitingForPostCondition: Cluster demo is paused$/,
    ],
    [
      "paused before its addons are known",
      NEW,
      { ...world(undefined), paused: "Cluster demo is paused" },
      /is not there yet: Cluster demo is paused$/,
    ],
    [
      "where its release cannot be had",
      NEW,
      world({ message: "the source has no release" }),
      /not installed yet: the source has no release/,
    ],
    ["before it is concluded", NEW, world({ target: target(NEW, BEFORE) }), /not installed yet$/],
    ["once it is done", NEW, DONE, undefined],
    ["once it is done, though it is paused", NEW, { ...DONE, paused: "it is paused" }, undefined],
    [
      "while what comes after the upgrade runs",
      NEW,
      world({ clusterStack: NEW, target: target(NEW, AFTER), stages: stages("Pending") }),
      undefined,
    ],
    ["addons in one stage", NEW, world({ clusterStack: NEW, target: target(NEW) }), undefined],
    [
      "addons that upstream's operator installed",
      NEW,
      world({ clusterStack: NEW, target: undefined, stages: [] }),
      undefined,
    ],
    ["about a class that the Cluster has left", OLD, DONE, /names the class s-1-31-v1 now/],
    [
      "about its class, from which work was begun to leave",
      OLD,
      world({ target: target(NEW, BEFORE), stages: stages("Pending") }, OLD),
      /not installed/,
    ],
    [
      "about its class, from which the stages that leave it are done",
      OLD,
      world({ target: target(NEW, BEFORE), stages: stages("done") }, OLD),
      /not installed/,
    ],
    ["the same class for a newer Kubernetes", OLD, world({}, OLD), undefined],
  ];
  for (const [title, clusterStack, of, message] of rows)
    it(`${title}: ${message === undefined ? "yes" : "not yet"}`, () => {
      const answer = mayUpgrade(clusterStack, of);
      assert.equal(answer.retryAfterSeconds, message === undefined ? undefined : 10);
      if (message !== undefined) assert.match(answer.message ?? "", message);
    });
});

describe("a question", () => {
  const rows: readonly (readonly [title: string, asked: Asked, world: AskedWorld, stored: boolean])[] = [
    ["before anything was begun", asked(BEFORE), world({}), true],
    ["that is stored", asked(BEFORE), world({ asked: asked(BEFORE) }), false],
    [
      "in place of one about another class",
      asked(BEFORE),
      world({ asked: asked(BEFORE, "s-1-30-v9") }),
      true,
    ],
    ["in the midst of it", asked(BEFORE), RUNNING, true],
    ["that comes after the one for after this upgrade", asked(BEFORE), world({ asked: asked(AFTER) }), false],
    [
      "that comes after the one for after an earlier upgrade",
      asked(BEFORE),
      world({ asked: { ...asked(AFTER), version: "v1.31.0" } }),
      true,
    ],
    ["in place of the one before this upgrade", asked(AFTER), world({ asked: asked(BEFORE) }), true],
    ["once it is done", asked(BEFORE), DONE, false],
    ["about a class that the Cluster has left", asked(BEFORE, OLD), DONE, false],
    ["of another's Cluster", asked(BEFORE), { wanted: undefined, addon: undefined }, false],
    ["after the upgrade", asked(AFTER), DONE, true],
    [
      "after the upgrade, and all is done",
      asked(AFTER),
      world({ clusterStack: NEW, target: target(NEW, AFTER) }),
      false,
    ],
    [
      "after the upgrade, of addons in one stage",
      asked(AFTER),
      world({ clusterStack: NEW, target: target(NEW) }),
      false,
    ],
  ];
  for (const [title, question, of, stored] of rows)
    it(`${title} is ${stored ? "" : "not "}stored`, () => assert.equal(isToBeStored(question, of), stored));

  it("is served at once, unless other stages of its class are at work", () => {
    assert.equal(servedHook(asked(AFTER), RUNNING), BEFORE);
    assert.equal(servedHook(asked(AFTER), DONE), AFTER);
    assert.equal(servedHook(asked(BEFORE), world({})), BEFORE);
    assert.equal(servedHook(asked(BEFORE), world(undefined)), BEFORE);
    assert.equal(
      servedHook(asked(BEFORE), world({ target: target(NEW), stages: stages("Pending") })),
      BEFORE,
    );
  });

  it("is read as it was written, and nothing else is", () => {
    const read = (text: string) => askedIn({ [ASKED_ANNOTATION]: text });
    for (const one of [asked(BEFORE), { ...asked(AFTER), version: "" }])
      assert.deepEqual(read(askedText(one)), one);
    for (const text of ["", "BeforeClusterUpgrade", "Before s v1", "BeforeClusterUpgrade s v1 more"])
      assert.equal(read(text), undefined);
  });
});
