import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ClusterStack, ClusterStackRelease, STACK_LABEL, stackLabel } from "../kinds/index.ts";
import { type Stage, startStage, TEAM, tag } from "./stage.ts";

let s: Stage;
beforeAll(async () => {
  s = await startStage({ api: "local" });
  await s.publish("v1", "v2");
});
afterAll(() => s.stop());

test("a stack knows releases that another program made for it, and gives them its label", async () => {
  await s.wants({ versions: [], autoSubscribe: false });
  const stack = await s.get(ClusterStack, { name: "ferrol", namespace: TEAM });
  assert.ok(stack !== undefined);
  const { apiVersion, kind, metadata } = stack;
  await s.cluster("demo", { class: tag("v1"), version: "v1.27.3" });
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
  await s.stack.client.create(
    resourceOf(ClusterStackRelease),
    {
      ...{ apiVersion, kind: ClusterStackRelease.kind },
      metadata: { name: tag("v1"), namespace: TEAM, ownerReferences },
    },
    { fieldManager: "another" },
  );
  await s.settled();
  assert.equal((await s.release("v1"))?.metadata.labels[STACK_LABEL], "ferrol");
  assert.equal((await s.says()).usableVersions, "v1");
  await s.wants({ versions: ["v2"], autoSubscribe: false });
  assert.equal((await s.release("v2"))?.metadata.labels[STACK_LABEL], "ferrol");
  assert.equal((await s.says()).usableVersions, "v1, v2");
  assert.deepEqual(
    (await s.says()).summary?.map(({ name }) => name),
    ["v1", "v2"],
  );
});

test("the label of a stack whose name is too long for one is its uid", () => {
  const metadata = { name: "a".repeat(64), uid: "u-1", namespace: TEAM };
  const stack = { metadata } as Parameters<typeof stackLabel>[0];
  assert.deepEqual(stackLabel(stack), { [STACK_LABEL]: "u-1" });
});
