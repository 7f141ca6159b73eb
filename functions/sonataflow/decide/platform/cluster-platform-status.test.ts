import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterPlatform, Platform } from "../../kinds/index.ts";
import { clusterPlatform, NOW, platform, succeed } from "../../test/objects.ts";
import { verdict } from "../objects/conditions.ts";
import { clusterRows } from "./cluster-platform-status.ts";

const SPEC = { platformRef: { name: "hub", namespace: "wf" } };
const bare = clusterPlatform({ name: "a" });
const a = clusterPlatform({ name: "a", spec: SPEC });
const incumbent = clusterPlatform({ name: "a", spec: SPEC, status: succeed("True") });
const hub = (status?: object) =>
  platform({ name: "hub", namespace: "wf", ...(status !== undefined && { status }) });
const serving = hub({
  conditions: [
    { type: "JobsServiceSucceed", status: "True", lastUpdateTime: NOW },
    ...succeed("False", "Failure").conditions,
  ],
});

const warming = verdict(
  "Unknown",
  "Warming",
  "Waiting for referenced SonataFlowPlatform 'wf/hub' to be ready",
);
const failure = verdict("False", "Failure", "Referenced SonataFlowPlatform 'wf/hub' not ready");

/** What is said of the cluster platform `a`. */
const said = (clusters: readonly ClusterPlatform[], platforms: readonly Platform[]) =>
  clusterRows(clusters, platforms, "0s", NOW).rows.find(({ cluster }) => cluster.metadata.name === "a")?.said;

describe("a cluster platform says", () => {
  for (const [name, clusters, platforms, expected] of [
    [
      "what to set where it has no spec",
      [bare],
      [hub(succeed("True"))],
      verdict("False", "PlatformNotFound", "spec.platformRef is not set: name a SonataFlowPlatform."),
    ],
    [
      "which platform does not exist",
      [a],
      [platform({ name: "hub", namespace: "other" })],
      verdict("False", "PlatformNotFound", "hub platform does not exist in wf namespace."),
    ],
    [
      "which platform is ready",
      [a],
      [hub(succeed("True", "Warming"))],
      verdict("True", "", "Referenced SonataFlowPlatform 'wf/hub' is ready"),
    ],
    ["for which it waits before anybody spoke of it", [a], [hub()], warming],
    ["for which it waits while that is not known", [a], [hub(succeed("Unknown", "Failure"))], warming],
    ["for which it waits while that is created", [a], [hub(succeed("False", "Creating"))], warming],
    ["for which it waits while that warms up", [a], [hub(succeed("False", "Warming"))], warming],
    ["which is not ready", [a], [hub(succeed("False", "Failure"))], failure],
    ["the same for another reason", [a], [hub(succeed("False", "Duplicated"))], failure],
    [
      "that its platform was refused a change and still serves",
      [incumbent],
      [serving],
      verdict(
        "True",
        "",
        "Referenced SonataFlowPlatform 'wf/hub' not ready: its status says why; what it deployed stays in use",
      ),
    ],
    ["that it is not ready where it was not active while that served", [a], [serving], failure],
    [
      "who is active where another one is",
      [a, clusterPlatform({ name: "b", spec: SPEC, status: succeed("True") })],
      [hub(succeed("True"))],
      verdict("False", "Duplicated", "SonataFlowClusterPlatform 'b' is already active"),
    ],
    [
      "of its own platform where it is a secondary one, whoever is active",
      [
        clusterPlatform({ name: "a", spec: SPEC, secondary: true }),
        clusterPlatform({ name: "b", spec: SPEC, status: succeed("True") }),
      ],
      [hub(succeed("True"))],
      verdict("True", "", "Referenced SonataFlowPlatform 'wf/hub' is ready"),
    ],
  ] as const)
    test(name, () => assert.deepEqual(said(clusters, platforms), expected));
});

test("its status stores what it says, of which generation, and for which version of the language", () => {
  const [row] = clusterRows([bare], [], "0s", NOW).rows;
  assert.deepEqual(row?.status, {
    version: "0.8",
    observedGeneration: 1,
    conditions: [
      {
        type: "Succeed",
        status: "False",
        lastUpdateTime: "2026-02-03T04:05:06Z",
        reason: "PlatformNotFound",
        message: "spec.platformRef is not set: name a SonataFlowPlatform.",
      },
    ],
  });
});
