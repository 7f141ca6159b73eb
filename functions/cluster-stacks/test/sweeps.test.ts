import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import { createRouter } from "../../../shared/runner/router.ts";
import { clusterStacks } from "../index.ts";
import { Cluster, ClusterAddon } from "../kinds/index.ts";
import { TEAM, tag } from "./stage.ts";

const router = createRouter(clusterStacks.functions);
type Facts = Readonly<Record<string, unknown>>;

/** The work that follows from a step of an object. */
function routed(kind: typeof Cluster | typeof ClusterAddon, facts: Facts, was: Facts | undefined) {
  const event: Envelope = {
    specversion: "1.0",
    id: "e",
    type: "resource.changed",
    source: "/clusters/local",
    time: "2026-01-15T10:00:00.000Z",
    datacontenttype: "application/json",
    data: {
      ref: {
        cluster: "local",
        group: kind.group,
        version: "v1beta1",
        kind: kind.kind,
        namespace: TEAM,
        name: "demo",
        uid: "00000000-0000-4000-8000-000000000003",
      },
      era: 0,
      resourceVersion: "1001",
      generation: 1,
      lane: "urgent",
      differs: was === undefined ? ["created"] : ["facts"],
      facts,
      ...(was !== undefined && { was }),
      seen: [],
      incomplete: false,
      owners: [],
      ready: false,
      deleting: false,
    },
  };
  return router.route(event);
}
/** The functions whose objects are listed because of it. */
const listing = (...step: Parameters<typeof routed>) =>
  routed(...step).flatMap(({ sweep, function: name }) => (sweep === undefined ? [] : [name]));
/** The releases that are looked at because of it. */
const releases = (...step: Parameters<typeof routed>) =>
  routed(...step).flatMap(({ function: name, key }) =>
    name === "cluster-stack-releases" ? [key.split("/").at(-1)] : [],
  );

const stacks = ["cluster-stacks"];
const v1 = { clusterStack: tag("v1") };

describe("objects are listed where somebody leaves a release, and once", () => {
  for (const [name, found, expected] of [
    ["addons that come", listing(ClusterAddon, { cluster: "demo" }, undefined), []],
    [
      "that are installed for the first time",
      listing(ClusterAddon, { ...v1, ready: true }, { ready: false }),
      [],
    ],
    ["that stop being ready", listing(ClusterAddon, { ...v1, ready: false }, { ...v1, ready: true }), []],
    ["that give way to others", listing(ClusterAddon, { clusterStack: tag("v2") }, v1), stacks],
    ["a Cluster that comes", listing(Cluster, { class: tag("v1") }, undefined), []],
    [
      "whose API server answers",
      listing(Cluster, { class: tag("v1"), initialized: "True" }, { class: tag("v1") }),
      [],
    ],
    ["that takes up another class", listing(Cluster, { class: tag("v2") }, { class: tag("v1") }), stacks],
  ] as const)
    test(name, () => assert.deepEqual(found, expected));
});

test("a release is looked at where a Cluster leaves it, and not where one comes to use it", () => {
  const [v1Class, v2Class] = [{ class: tag("v1") }, { class: tag("v2") }];
  assert.deepEqual(releases(Cluster, v1Class, undefined), []);
  assert.deepEqual(releases(Cluster, { ...v1Class, initialized: "True" }, v1Class), []);
  assert.deepEqual(releases(Cluster, v2Class, v1Class), [tag("v2"), tag("v1")]);
});
