import assert from "node:assert/strict";
import { describe, type TestContext, test } from "vitest";
import { functionGrants, rbacObjects, watcherGrants } from "../../infra/systems/rbac.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { AwaitedStream } from "../../infra/watcher/awaited/stream.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { awaited, defineDynamic, each } from "../../shared/function/index.ts";
import { SECRETS } from "../../shared/kube/client/cluster-secret.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import { Tank } from "../engine/kinds.ts";
import { applyAll, tokenOf } from "./accounts.ts";

class Key extends defineDynamic("key") {}
const locksmith = each(Tank).function({
  name: "locksmith",
  reads: [awaited(Key, "a test")],
  verbs: { key: ["get"] },
  reconcile: () => ({}),
});
const ADMITTED = new Map([["key", ["secrets/acme"]]]);

async function accounts(t: TestContext) {
  const api = await startTestApi({ api: "real", controllers: false });
  t.onTestFinished(() => api.stop());
  const grants = [
    ...functionGrants(locksmith, undefined, ADMITTED),
    ...watcherGrants([locksmith], undefined, () => ADMITTED),
  ];
  await applyAll(api.client, rbacObjects(grants) as readonly KubeObject[]);
  const clientOf = async (account: string): Promise<KubeClient> =>
    api.newClient(await tokenOf(api.client, "reveille", account));
  return {
    home: api.client,
    worker: await clientOf("reveille-locksmith"),
    watcher: await clientOf("reveille-watcher"),
  };
}
const forbidden = (thrown: unknown): boolean => thrown instanceof KubeError && thrown.kind === "forbidden";

describe("a Secret that a slot admits by its name", { skip: skipWithoutControlPlane() !== false }, () => {
  test("is read and followed in any namespace, and no other is", async (t) => {
    const { home, worker, watcher } = await accounts(t);
    const put = (name: string, value: string) => {
      const metadata = { namespace: "default", name };
      const data = { value: Buffer.from(value).toString("base64") };
      const body = { apiVersion: "v1", kind: "Secret", metadata, data };
      return home.apply(SECRETS, metadata, body, { fieldManager: "test" });
    };
    await put("acme", "1");
    await put("other", "1");
    const acme = { namespace: "default", name: "acme" };
    assert.equal((await worker.get(SECRETS, acme))?.metadata.name, "acme");
    await assert.rejects(worker.get(SECRETS, { ...acme, name: "other" }), forbidden);
    for (const client of [worker, watcher])
      await assert.rejects(client.list(SECRETS, { namespace: "default" }), forbidden);

    const seen: string[] = [];
    const follow = (name: string): AwaitedStream => {
      const stream = new AwaitedStream(
        { resource: SECRETS, namespace: "default", name },
        {
          client: watcher,
          clock: systemClock,
          log: silent,
          changed: (place) => seen.push(place.name) > 0,
          listed: () => undefined,
          forbidden: () => undefined,
          vanished: () => undefined,
        },
      );
      t.onTestFinished(() => stream.stop());
      return stream;
    };
    const [mine, another] = [follow("acme"), follow("other")];
    await eventually("both to be answered", () => mine.isComplete && another.state === "forbidden");
    assert.ok(mine.seen(acme) !== undefined);
    await put("other", "2");
    await put("acme", "2");
    await eventually("the change", () => seen.length > 0);
    assert.deepEqual(seen, ["acme"]);
  });
});
