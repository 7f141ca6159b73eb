import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { askedIn } from "../hooks/index.ts";
import { type MomentWorld, momentOf } from "./moment.ts";

const release = (clusterStack: string, version: string, kubernetesVersion: string) => ({
  clusterStack,
  version,
  kubernetesVersion,
});
const ONE = release("s-1-30-v1", "v1", "v1.30.1");
/** The same addons, a newer Kubernetes. */
const TWO = release("s-1-30-v2", "v1", "v1.30.2");
/** New addons for the same Kubernetes as two. */
const THREE = release("s-1-30-v3", "v3", "v1.30.2");
/** The same addons and the same Kubernetes as three. */
const FOUR = release("s-1-30-v4", "v3", "v1.30.2");

const world = (
  wanted: MomentWorld["wanted"],
  {
    by,
    asked,
    wasUpgrade = false,
    ...more
  }: Partial<Omit<MomentWorld, "asked" | "installed" | "wanted">> & {
    readonly by?: MomentWorld["wanted"];
    readonly asked?: string;
    readonly wasUpgrade?: boolean;
  } = {},
): MomentWorld => ({
  wanted,
  installed: by && { ...by, wasUpgrade },
  controlPlane: undefined,
  asked: askedIn({ "reveille.dev/hook-asked": asked ?? "" }),
  target: by,
  isDone: true,
  isReplaced: false,
  ...more,
});
const done = (of: MomentWorld["wanted"], hook: string) => ({
  target: { clusterStack: of.clusterStack, hook },
  isDone: true,
});
const begun = (of: MomentWorld["wanted"], hook: string) => ({ ...done(of, hook), isDone: false });
const BEFORE = "BeforeClusterUpgrade";
const AFTER = "AfterClusterUpgrade";
const FIRST = "AfterControlPlaneInitialized";

const rows: readonly (readonly [title: string, world: MomentWorld, expected: string])[] = [
  ["the first installation waits for nobody", world(ONE), FIRST],
  ["the first installation goes to another class at once", world(TWO, begun(ONE, FIRST)), FIRST],
  ["all is done", world(ONE, { by: ONE, ...done(ONE, FIRST) }), "rests"],
  ["it resumes", world(ONE, begun(ONE, FIRST)), FIRST],
  ["a newer Kubernetes waits to be asked for", world(TWO, { by: ONE }), "waits"],
  ["a newer Kubernetes waits also where the addons are new", world(THREE, { by: ONE }), "waits"],
  ["Cluster API has asked", world(TWO, { by: ONE, asked: `${BEFORE} s-1-30-v2 v1.30.2` }), BEFORE],
  [
    "Cluster API has asked about another class",
    world(TWO, { by: ONE, asked: `${BEFORE} s-1-30-v9 v1.30.2` }),
    "waits",
  ],
  [
    "Cluster API upgraded unanswered, and asks after that",
    world(TWO, { by: ONE, asked: `${AFTER} s-1-30-v2` }),
    BEFORE,
  ],
  ["the control plane is upgraded already", world(TWO, { by: ONE, controlPlane: "v1.30.2" }), BEFORE],
  [
    "the control plane is not upgraded yet",
    world(TWO, { by: { ...ONE, kubernetesVersion: "" }, controlPlane: "v1.30.1" }),
    "waits",
  ],
  ["nobody knows what runs there", world(TWO, { by: { ...ONE, kubernetesVersion: "" } }), BEFORE],
  ["the same Kubernetes asks nobody", world(THREE, { by: TWO }), BEFORE],
  ["the same Kubernetes and the same addons", world(FOUR, { by: THREE }), "same"],
  ["the same addons, and another class half done", world(FOUR, { by: THREE, ...begun(ONE, BEFORE) }), BEFORE],
  ["an older Kubernetes asks nobody", world(ONE, { by: THREE }), BEFORE],
  ["it resumes where the question is gone", world(TWO, { by: ONE, ...begun(TWO, BEFORE) }), BEFORE],
  ["back to what was installed first", world(ONE, { by: ONE, ...begun(TWO, BEFORE) }), FIRST],
  [
    "back to what an upgrade installed",
    world(ONE, { by: ONE, wasUpgrade: true, ...begun(TWO, BEFORE) }),
    BEFORE,
  ],
  [
    "from a faulty class to the next, which is asked about",
    world(THREE, { by: ONE, ...begun(TWO, BEFORE), asked: `${BEFORE} s-1-30-v3 v1.30.2` }),
    BEFORE,
  ],
  [
    "from a faulty class to the next, before it is asked about",
    world(THREE, { by: ONE, ...begun(TWO, BEFORE), asked: `${BEFORE} s-1-30-v2 v1.30.2` }),
    "waits",
  ],
  [
    "after the upgrade",
    world(TWO, { by: TWO, ...done(TWO, BEFORE), asked: `${AFTER} s-1-30-v2 v1.30.2` }),
    AFTER,
  ],
  [
    "after the upgrade of another class",
    world(TWO, { by: TWO, ...done(TWO, BEFORE), asked: `${AFTER} s-1-30-v1 v1.30.1` }),
    "rests",
  ],
  ["other content of what is installed", world(ONE, { by: ONE, isReplaced: true }), FIRST],
  [
    "other content of what is being installed",
    world(TWO, { by: ONE, ...begun(TWO, BEFORE), isReplaced: true }),
    BEFORE,
  ],
  ["after the upgrade, begun", world(TWO, { by: TWO, ...begun(TWO, AFTER) }), AFTER],
];

describe("the stages that run", () => {
  for (const [title, of, expected] of rows)
    it(`${title}: ${expected}`, () => {
      const moment = momentOf(of);
      assert.equal(moment.state === "run" ? moment.hook : moment.state, expected);
    });
});
