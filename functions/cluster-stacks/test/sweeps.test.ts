import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import { createRouter } from "../../../shared/runner/router.ts";
import { clusterStacks } from "../index.ts";
import { Cluster, ClusterAddon } from "../kinds/index.ts";
import { TEAM, tag } from "./stage.ts";

const router = createRouter(clusterStacks.functions);
type Facts = Readonly<Record<string, unknown>>;

/** The functions whose objects are listed because of a step of an object. */
function listing(kind: typeof Cluster | typeof ClusterAddon, facts: Facts, was: Facts | undefined) {
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
  return router.route(event).flatMap(({ sweep, function: name }) => (sweep === undefined ? [] : [name]));
}

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
