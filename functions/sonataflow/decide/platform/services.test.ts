import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { clusterPlatform, platform } from "../../test/objects.ts";
import { clusterReferenceOf, effectiveServices, urlOf } from "./services.ts";

const SHARED = { dataIndexRef: { url: "http://hub-data-index-service.wf" } };
const team = (services?: object) =>
  platform({
    name: "team",
    namespace: "t",
    spec: services === undefined ? {} : { services },
    status: {
      clusterPlatformRef: { name: "a", platformRef: { name: "hub", namespace: "wf" }, services: SHARED },
    },
  });

describe("the Data Index that a workflow uses", () => {
  const local = "http://team-data-index-service.t";
  for (const [name, it, dev, expected] of [
    ["its own", team({ dataIndex: {} }), false, local],
    ["its own, said to be enabled", team({ dataIndex: { enabled: true } }), false, local],
    ["none, where its own is disabled", team({ dataIndex: { enabled: false } }), false, undefined],
    ["none, where only the other service is its own", team({ jobService: {} }), false, undefined],
    ["none, where services are empty", team({}), false, undefined],
    ["the cluster's", team(), false, SHARED.dataIndexRef.url],
    ["none in dev", team(), true, undefined],
    ["none without a platform", undefined, false, undefined],
  ] as const)
    test(name, () => assert.equal(effectiveServices(it, dev)?.dataIndexRef?.url, expected));
  test("none, where the cluster shares none", () => {
    assert.equal(effectiveServices(platform({ name: "team", namespace: "t" }), false), undefined);
  });
});

test("a namespace that is empty is left out of the URL", () => {
  assert.equal(urlOf({ name: "p", namespace: "" }, "dataIndex"), "http://p-data-index-service");
  assert.equal(urlOf({ name: "p", namespace: "n" }, "jobService"), "http://p-jobs-service.n");
});

describe("what a platform says of the cluster", () => {
  const hub = platform({
    name: "hub",
    namespace: "wf",
    spec: { services: { dataIndex: {}, jobService: { enabled: false } } },
  });
  const active = (capabilities?: object) =>
    clusterPlatform({
      name: "a",
      spec: {
        platformRef: { name: "hub", namespace: "wf" },
        ...(capabilities !== undefined && { capabilities }),
      },
    });
  const bare = { name: "a", platformRef: { name: "hub", namespace: "wf" } };
  const plain = platform({ name: "p", namespace: "n" });
  test("nothing without an active one", () =>
    assert.equal(clusterReferenceOf(plain, undefined, hub), undefined));
  for (const [name, self, cluster, target, expected] of [
    ["what the hub offers", plain, active(), hub, { ...bare, services: SHARED }],
    [
      "nothing where it has services",
      platform({ name: "p", namespace: "n", spec: { services: {} } }),
      active(),
      hub,
      bare,
    ],
    ["nothing where it is the hub", hub, active(), hub, bare],
    ["nothing where nothing is shared", plain, active({ workflows: [] }), hub, bare],
    ["nothing where capabilities are empty", plain, active({}), hub, bare],
    [
      "what is shared by name",
      plain,
      active({ workflows: ["services"] }),
      hub,
      { ...bare, services: SHARED },
    ],
    ["nothing where the hub is missing", plain, active(), undefined, bare],
  ] as const)
    test(name, () => assert.deepEqual(clusterReferenceOf(self, cluster, target), expected));
});
