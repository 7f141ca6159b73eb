import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { functionsOf, ownKindsOf } from "../../systems/declared.ts";
import { installKinds } from "../../testing/stack.ts";
import { startTestApi, type TestApi } from "../../testing/test-api.ts";
import { toySystem } from "../../testing/toy-system.ts";
import { crdResource, planCrds } from "./crds.ts";
import { refusePredecessors } from "./predecessors.ts";

const KINDS = ownKindsOf(functionsOf([toySystem]));
const forbidden = (request: string): KubeError => new KubeError("forbidden", "forbidden", { request });

/** Whoever sees nothing without a namespace, and no CRDs. */
const restricted = (client: KubeClient): KubeClient => ({
  ...client,
  discover: (group, version) => client.discover(group, version),
  get: async (resource, place) => {
    if (resource === crdResource) throw forbidden("GET");
    return client.get(resource, place);
  },
  list: async (resource, options) => {
    if (options?.namespace === undefined) throw forbidden("GET");
    return client.list(resource, options);
  },
});

describe("where rights are few", () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ api: "local" });
  });
  afterAll(() => api.stop());

  it("says who has to install a kind that is not served, and trusts one that is", async () => {
    const client = restricted(api.client);
    await assert.rejects(planCrds(client, KINDS), {
      code: "CLI_CRD_FORBIDDEN",
      message: /does not have the kind Toy.*`reveille crds \| kubectl apply --server-side -f -`/,
    });
    await installKinds(api.client, [toySystem]);
    const plans = await planCrds(client, KINDS);
    assert.deepEqual(
      plans.map(({ action }) => action),
      KINDS.map(() => "trust"),
    );
  });

  it("looks for the predecessor where it may, and says that it may not everywhere", async () => {
    const [predecessor] = toySystem.predecessors;
    assert.ok(predecessor);
    const names = [...new Set(toySystem.predecessors.map(({ name }) => name))];
    assert.deepEqual(await refusePredecessors(api.client, [toySystem], "default"), []);
    assert.deepEqual(await refusePredecessors(restricted(api.client), [toySystem], undefined), names);
    const [key = "", value = ""] = predecessor.labelSelector.split("=");
    const container = { name: "operator", image: "operator:1" };
    const labels = { app: "operator" };
    await api.client.create(
      { group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" },
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: {
          name: predecessor.workload ?? "operator",
          namespace: "default",
          labels: { [key]: value },
        },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      },
      { fieldManager: "test" },
    );
    await assert.rejects(refusePredecessors(restricted(api.client), [toySystem], "default"), {
      code: "CLI_PREDECESSOR_RUNS",
    });
  });
});
