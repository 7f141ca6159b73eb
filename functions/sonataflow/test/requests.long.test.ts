import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { Platform } from "../index.ts";
import * as they from "./people.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

const NAMESPACES = 500;
/** For failures only: on a busy machine so many objects take their time. */
const LIMIT = 600_000;
const namespaceOf = (index: number): string => `team-${index}`;

describe(`with ${NAMESPACES} namespaces`, { timeout: LIMIT }, () => {
  let cluster: StackCluster;
  let engineRequests: () => Record<string, number>;
  beforeAll(async () => {
    let requests: Readonly<Record<string, number>> = {};
    cluster = await startStackCluster("local", {
      engineClient: (client) => {
        requests = client.requests;
        return client;
      },
    });
    engineRequests = () => ({ ...requests });
    await they.putHub(cluster);
    for (let index = 0; index < NAMESPACES; index += 1)
      await they.putPlatform(cluster, { name: "team", namespace: namespaceOf(index) });
    await they.putWorkflow(cluster, { name: "onboard", namespace: namespaceOf(7) });
    await they.putCluster(cluster, "a");
    await cluster.settled();
  }, LIMIT);
  afterAll(() => cluster.stack.stop());

  const requestsOf = async (change: () => Promise<void>): Promise<Record<string, number>> => {
    const before_ = engineRequests();
    await change();
    await cluster.settled();
    const now = engineRequests();
    return Object.fromEntries(
      Object.entries(now).flatMap(([verb, count]) => {
        const more = count - (before_[verb] ?? 0);
        return more > 0 && verb !== "watch" ? [[verb, more]] : [];
      }),
    );
  };
  const total = (requests: Record<string, number>): number =>
    Object.values(requests).reduce((sum, count) => sum + count, 0);

  test("at rest nothing is asked", async () => {
    assert.deepEqual(await requestsOf(() => cluster.settled()), {});
  });

  test("what one namespace changes costs the same as in a small cluster", async () => {
    const opted = { name: "team", namespace: namespaceOf(3) };
    const requests = await requestsOf(() => they.putPlatform(cluster, opted, { services: {} }));
    assert.ok(total(requests) <= 10, JSON.stringify(requests));
    const flow = { name: "onboard", namespace: namespaceOf(7) };
    const edited = await requestsOf(() =>
      they.putWorkflow(cluster, flow, "gitops", "registry.example/onboard:2"),
    );
    assert.ok(total(edited) <= 40, JSON.stringify(edited));
  });

  test("a change of the shared platform costs each namespace a bounded number", async () => {
    const requests = await requestsOf(() => they.putHub(cluster, { dataIndex: {} }));
    assert.equal(
      (await they.referenceOf(cluster, { name: "team", namespace: namespaceOf(499) }))?.services
        ?.jobServiceRef,
      undefined,
    );
    assert.ok(total(requests) <= 8 * NAMESPACES, JSON.stringify(requests));
    assert.equal((await cluster.list(Platform)).length, NAMESPACES + 1);
  });
});
