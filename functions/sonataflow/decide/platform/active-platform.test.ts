import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { clusterPlatform, NOW, platform, succeed } from "../../test/objects.ts";
import { isReady } from "../objects/conditions.ts";
import { activeOf, localOf, referencedBy } from "./active-platform.ts";
import { clusterRows } from "./cluster-platform-status.ts";

const hub = (ready: boolean, name = "hub", since = NOW) =>
  platform({
    name,
    namespace: "wf",
    status: ready ? succeed("True") : succeed("False", "Failure", "", since),
  });
const pointing = (name: string, more: Partial<Parameters<typeof clusterPlatform>[0]> = {}, target = "hub") =>
  clusterPlatform({ name, spec: { platformRef: { name: target, namespace: "wf" } }, ...more });
const TRUE = { status: succeed("True") };

describe("the active cluster platform", () => {
  for (const [name, clusters, platforms, expected] of [
    ["none where no platform is ready", [pointing("a")], [hub(false)], undefined],
    ["none where the platform does not exist", [pointing("a", TRUE)], [], undefined],
    [
      "the oldest of several",
      [
        pointing("b", { createdAt: "2025-01-02T00:00:00Z" }),
        pointing("a", { createdAt: "2025-01-03T00:00:00Z" }),
      ],
      [hub(true)],
      "b",
    ],
    ["the lowest name of one age", [pointing("b"), pointing("a")], [hub(true)], "a"],
    ["the incumbent before an older one", [pointing("a"), pointing("b", TRUE)], [hub(true)], "b"],
    [
      "another where the incumbent's platform is lost",
      [pointing("a", TRUE, "gone"), pointing("b")],
      [hub(true)],
      "b",
    ],
    ["never a secondary one", [pointing("a", { ...TRUE, secondary: true }), pointing("b")], [hub(true)], "b"],
    ["never one that is being deleted", [pointing("a", { ...TRUE, deleting: true })], [hub(true)], undefined],
  ] as const)
    test(name, () => assert.equal(activeOf(clusters, platforms, "0s", NOW)?.metadata.name, expected));

  test("an incumbent keeps the role during its grace, not after it, and never where its platform is gone", () => {
    const a = pointing("a", TRUE);
    const since = "2026-02-03T04:04:36.000Z";
    assert.equal(activeOf([a], [hub(false, "hub", since)], "1m", NOW), a);
    assert.equal(activeOf([a], [hub(false, "hub", since)], "30s", NOW), undefined);
    assert.equal(activeOf([pointing("a")], [hub(false, "hub", since)], "1m", NOW), undefined);
    assert.equal(activeOf([a], [], "1m", NOW), undefined);
    const { rows, graceEnds } = clusterRows([a], [hub(false, "hub", since)], "1m", NOW);
    assert.equal(graceEnds, "2026-02-03T04:05:36.000Z");
    assert.deepEqual(rows[0]?.status.conditions, TRUE.status.conditions);
  });

  test("an incumbent keeps the role where its platform was refused a change and still serves", () => {
    const refused = (...services: readonly string[]) =>
      platform({
        name: "hub",
        namespace: "wf",
        status: {
          conditions: [
            ...services.map((type) => ({ type, status: "True", lastUpdateTime: NOW })),
            ...succeed("False", "Failure", "jobs-service: refused").conditions,
          ],
        },
      });
    const a = pointing("a", TRUE);
    assert.equal(activeOf([a], [refused("JobsServiceSucceed")], "0s", NOW), a);
    assert.equal(activeOf([a], [refused()], "0s", NOW), undefined);
    assert.equal(activeOf([pointing("a")], [refused("JobsServiceSucceed")], "0s", NOW), undefined);
    const { rows } = clusterRows([a], [refused("DataIndexSucceed")], "0s", NOW);
    assert.equal(rows[0]?.said.status, "True");
    assert.match(rows[0]?.said.message ?? "", /'wf\/hub' not ready: .* stays in use/);
  });

  test("whatever the world and its order, one winner, the same for all, and nothing left to decide", () => {
    const anyCluster = fc.record({
      name: fc.constantFrom("a", "b", "c", "d"),
      ready: fc.boolean(),
      secondary: fc.boolean(),
      target: fc.constantFrom("hub", "other", "gone"),
    });
    const world = fc.record({
      clusters: fc.uniqueArray(anyCluster, { selector: ({ name }) => name }),
      hub: fc.boolean(),
      other: fc.boolean(),
      shuffle: fc.infiniteStream(fc.nat()),
    });
    fc.assert(
      fc.property(world, ({ clusters, shuffle, ...ready }) => {
        const platforms = [hub(ready.hub), hub(ready.other, "other")];
        const made = clusters.map(({ name, ready: is, secondary, target }) =>
          pointing(name, { secondary, ...(is && TRUE) }, target),
        );
        const order = made
          .map((cluster) => [shuffle.next().value, cluster] as const)
          .sort(([one], [other]) => one - other)
          .map(([, cluster]) => cluster);
        const winner = activeOf(made, platforms, "0s", NOW);
        assert.equal(activeOf(order, platforms, "0s", NOW), winner);
        const { rows } = clusterRows(order, platforms, "0s", NOW);
        const settled = rows.map(({ cluster, status }) => ({ ...cluster, status }));
        assert.equal(activeOf(settled, platforms, "0s", NOW)?.metadata.name, winner?.metadata.name);
        const primaries = settled.filter(({ metadata }) => Object.keys(metadata.annotations).length === 0);
        assert.deepEqual(
          primaries.filter(isReady).map(({ metadata }) => metadata.name),
          winner === undefined ? [] : [winner.metadata.name],
        );
        const again = clusterRows(settled, platforms, "0s", "2027-01-01T00:00:00.000Z");
        assert.deepEqual(
          again.rows.map(({ status }) => status),
          rows.map(({ status }) => status),
        );
        if (winner !== undefined) assert.equal(rows.at(-1)?.cluster, winner);
      }),
    );
  });
});

test("a cluster platform says what its platform's state means", () => {
  const says = (status: object | undefined) => {
    const target = platform({ name: "hub", namespace: "wf", ...(status !== undefined && { status }) });
    const { said } = clusterRows([pointing("a")], [target], "0s", NOW).rows[0] ?? assert.fail();
    return `${said.status}/${said.reason}`;
  };
  assert.equal(says(undefined), "Unknown/Warming");
  assert.equal(says(succeed("Unknown")), "Unknown/Warming");
  assert.equal(says(succeed("False", "Creating")), "Unknown/Warming");
  assert.equal(says(succeed("False", "Warming")), "Unknown/Warming");
  assert.equal(says(succeed("False", "Duplicated")), "False/Failure");
  assert.equal(says(succeed("True", "Warming")), "True/");
});

test("the active platform of a namespace: ready before old, never secondary or leaving", () => {
  const at = (name: string, more: object = {}) => platform({ name, namespace: "n", ...more });
  assert.equal(
    localOf([at("old"), at("ready", { createdAt: "2026-01-02T00:00:00Z", ...TRUE })])?.metadata.name,
    "ready",
  );
  assert.equal(localOf([at("b"), at("a")])?.metadata.name, "a");
  assert.equal(localOf([at("a", { secondary: true }), at("b", { deleting: true })]), undefined);
});

test("only names that objects can have are looked up, each once", () => {
  const to = (name: string, namespace: string) =>
    clusterPlatform({ name: "c", spec: { platformRef: { name, namespace } } });
  assert.deepEqual(
    referencedBy([
      to("hub", "wf"),
      to("hub", "wf"),
      to("a/b", "wf"),
      to("hub", ""),
      clusterPlatform({ name: "bare" }),
    ]),
    [{ name: "hub", namespace: "wf" }],
  );
});
