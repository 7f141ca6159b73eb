import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeObject } from "../../shared/kube/object.ts";
import { behaviourOf, MESSAGE, OUTCOME, parseDuration, READY_AFTER } from "./behaviour.ts";

const object = (kind: string, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "it", annotations },
});
const nobody = () => undefined;

test("durations are read as Go writes them, and nothing else is", () => {
  for (const [text, milliseconds] of [
    ["0", 0],
    ["500ms", 500],
    ["2s", 2000],
    ["1.5s", 1500],
    ["1m30s", 90_000],
    ["2h", 7_200_000],
  ] as const)
    assert.equal(parseDuration(text), milliseconds);
  for (const text of ["", "2", "s", "2 s", "-1s", "2d", "2sx"])
    assert.equal(parseDuration(text), undefined, text);
});

test("the nearest object that says something decides, each thing by itself; a command goes before all", () => {
  const chain = [
    object("Pod", { [READY_AFTER]: "3s" }),
    object("Deployment", { [READY_AFTER]: "9s", [OUTCOME]: "crash", [MESSAGE]: "boom" }),
  ];
  assert.deepEqual(behaviourOf(chain, nobody, 1), {
    outcome: "crash",
    delayMilliseconds: 3000,
    message: "boom",
    faults: [],
  });
  assert.equal(
    behaviourOf(chain, ({ kind }) => (kind === "Deployment" ? "hang" : undefined), 1).outcome,
    "hang",
  );
});

test("what cannot be understood counts as not said, and is told", () => {
  const { faults, ...behaviour } = behaviourOf(
    [object("Pod", { [OUTCOME]: "explode", [READY_AFTER]: "soon" })],
    nobody,
    7,
  );
  assert.deepEqual(behaviour, { outcome: "ready", delayMilliseconds: 7, message: undefined });
  assert.deepEqual(faults, [
    'simulator.reveille.dev/outcome: "explode" is none of ready, fail, hang, crash',
    'simulator.reveille.dev/ready-after: "soon" is no duration such as 500ms, 2s or 1m30s',
  ]);
});
