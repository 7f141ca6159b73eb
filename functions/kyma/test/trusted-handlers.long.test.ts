// R5, R18: what acts outside of the control plane for a module, and the word of it that goes into a runtime.
import assert from "node:assert/strict";
import { expect, it, type TestContext } from "vitest";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { ANNOTATIONS, CONTROL_PLANE, Kyma } from "../kinds/index.ts";
import type { HandlerQuestion } from "../ports/trusted-handlers/index.ts";
import {
  alphaStore,
  enabled,
  KYMA_SYSTEM,
  MAPS,
  ready,
  STORES,
  SYSTEM,
  said,
  standing,
  uninstalled,
  unwanted,
} from "./alpha-store.ts";
import { type Stage, startStage } from "./stage.ts";

const TENANT = { name: "tenant", namespace: SYSTEM };
const tenantMap = (value: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: TENANT,
  data: { tenant: value },
});
const last = ({ handlers }: Stage): HandlerQuestion => handlers.asked.at(-1) ?? assert.fail("nobody asked");
const tenantIn = async ({ client }: RemoteCluster): Promise<unknown> =>
  (await client.get(MAPS, TENANT))?.data;
const says = async (s: Stage): Promise<string> => {
  const { state, lastOperation } = (await s.manifest("alpha-store"))?.status ?? {};
  return `${state}: ${lastOperation?.operation}`;
};

/** A module with a handler that opens a tenant outside, named after the replicas that its object asks for. */
async function begun(
  t: TestContext,
  version = alphaStore("1.0.0"),
): Promise<{ s: Stage; remote: RemoteCluster }> {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  s.handlers.set("tenants", ({ operation, object }) => {
    if (operation === "Remove") return {};
    const { spec } = (object ?? {}) as { readonly spec?: { readonly replicas?: number } };
    return spec === undefined
      ? { waitingFor: "its AlphaStore" }
      : { objects: [tenantMap(`of ${spec.replicas}`)] };
  });
  const template = { ...version.template, trustedHandler: "tenants" };
  const remote = await enabled(s, { version: { ...version, template } });
  return { s, remote };
}

it("a handler of the control plane is asked with Kyma and module object, and what it answers stands in the runtime (R5)", async (t) => {
  const { s, remote } = await begun(t);
  await ready(s);
  const { operation, kyma, module, object } = last(s);
  assert.equal(operation, "Apply");
  expect(kyma).toMatchObject({ name: "rt-1", namespace: CONTROL_PLANE, spec: { channel: "regular" } });
  assert.deepEqual([module.name, module.version], ["alpha-store", "1.0.0"]);
  expect(object).toMatchObject({ kind: "AlphaStore", metadata: { name: "default" }, spec: { replicas: 2 } });
  assert.ok(!("managedFields" in (object as { metadata: object }).metadata));
  assert.deepEqual(await tenantIn(remote), { tenant: "of 2" });

  // The module object's change is the handler's business at once, without any timer.
  await remote.client.patch(
    STORES,
    { name: "default", namespace: KYMA_SYSTEM },
    "merge",
    { spec: { replicas: 3 } },
    { fieldManager: "user" },
  );
  await s.until(
    "the tenant to follow",
    async () => JSON.stringify(await tenantIn(remote)) === '{"tenant":"of 3"}',
  );

  const asked = s.handlers.asked.length;
  await s.settled();
  assert.equal(s.handlers.asked.length, asked, "at rest nobody asks");
});

it("what a handler takes back goes, what it never may answer is refused, and its silence takes nothing", async (t) => {
  const { s, remote } = await begun(t);
  await ready(s);
  const again = async (): Promise<void> => {
    await s.wants({ modules: [{ name: "alpha-store" }] }, { labels: { turn: `${s.handlers.asked.length}` } });
  };
  s.handlers.set("tenants", () => ({
    objects: [{ ...tenantMap("x"), kind: "Secret", data: { key: "c2VjcmV0" } }],
  }));
  await again();
  await said(
    s,
    "Error",
    /tenants: it answered the Secret alpha-system\/tenant: credentials .* go into no runtime/,
  );
  assert.deepEqual(await tenantIn(remote), { tenant: "of 2" }, "what stands stays");
  const secrets = resourceOf(Secret);
  assert.equal(await remote.client.get(secrets, TENANT), undefined);

  s.handlers.set("tenants", () => ({
    state: "failed",
    message: "the trusted handler tenants gave no answer",
  }));
  await again();
  assert.match(await says(s), /gave no answer/);
  assert.deepEqual(await tenantIn(remote), { tenant: "of 2" }, "silence takes nothing");

  s.handlers.set("tenants", () => ({ waitingFor: "a place for the tenant" }));
  await s.leap(1);
  await said(s, "Processing", /the trusted handler tenants waits for a place for the tenant/);
  assert.equal(await tenantIn(remote), undefined, "it was taken back, and no artifact was cut");
  s.handlers.set("tenants", () => ({ objects: [tenantMap("late")] }));
  await s.leap(1);
  await ready(s);
  assert.deepEqual(await tenantIn(remote), { tenant: "late" });
});

it("a handler is told once nothing of the module is left, and the module goes when it says so", async (t) => {
  const { s, remote } = await begun(t);
  await ready(s);
  s.handlers.set("tenants", ({ operation }) =>
    operation === "Remove" ? { waitingFor: "the tenant to close" } : { objects: [tenantMap("of 2")] },
  );
  await unwanted(s);
  await said(s, "Deleting", /waits for the tenant to close/);
  assert.deepEqual(await standing(remote), []);
  assert.equal(last(s).object, null);
  s.handlers.set("tenants", () => ({}));
  await s.leap(1);
  await uninstalled(s);
});

it("the handler that a former version named is told once the new version stands alone", async (t) => {
  const { s, remote } = await begun(t);
  await ready(s);
  s.handlers.set("tenants", ({ operation }) =>
    operation === "Remove" ? { waitingFor: "the old tenant to close" } : {},
  );
  s.handlers.set("estates", () => ({ objects: [tenantMap("of an estate")] }));
  const next = alphaStore("1.1.0");
  await s.publish({ ...next, template: { ...next.template, trustedHandler: "estates" } });
  await s.release("alpha-store", { regular: "1.1.0" });
  await s.leap(6);
  await said(s, "Ready", /; the trusted handler tenants waits for the old tenant to close/);
  assert.deepEqual(await tenantIn(remote), { tenant: "of an estate" });
  s.handlers.set("tenants", () => ({}));
  await s.leap(1);
  await s.until("it to be forgotten", async () => {
    const { annotations } = (await s.manifest("alpha-store"))?.metadata ?? {};
    return annotations?.[ANNOTATIONS.handledBy] === "estates";
  });
  await ready(s, "1.1.0");
});

it("a version that names no handler any more lets go of what one answered, under the same artifact too", async (t) => {
  const { s, remote } = await begun(t);
  await ready(s);
  const version = alphaStore("1.0.0");
  await s.publish({ ...version, template: { ...version.template, trustedHandler: null } });
  await s.leap(6);
  await s.until("its object to be gone", async () => (await tenantIn(remote)) === undefined);
  await ready(s);
  assert.equal(last(s).operation, "Remove");
  assert.equal((await s.manifest("alpha-store"))?.metadata.annotations[ANNOTATIONS.handledBy], undefined);
});

it("a handler that was asked is owed a word, and one that never was is owed none", async (t) => {
  const { s } = await begun(t);
  await ready(s);
  s.handlers.forget("tenants");
  await unwanted(s);
  await said(
    s,
    "Deleting",
    /tenants is not configured any more: add it .*, or take it out of the annotation/,
  );
  s.handlers.set("tenants", () => ({}));
  await s.leap(5);
  await uninstalled(s);
});

it("a handler is told of a runtime that is gone, too", async (t) => {
  const { s } = await begun(t);
  await ready(s);
  await s.stack.client.delete(
    resourceOf(Secret),
    { name: "rt-1", namespace: CONTROL_PLANE },
    { uid: undefined },
  );
  await s.remove(Kyma, { name: "rt-1", namespace: CONTROL_PLANE });
  await uninstalled(s);
  assert.equal(last(s).operation, "Remove");
});

it("a module may be nothing but a registration outside (R18)", async (t) => {
  const { template: _, ...version } = alphaStore("1.0.0");
  const { s, remote } = await begun(t, { ...version, layer: "" });
  await said(s, "Processing", /waits for its AlphaStore/);
  s.handlers.set("tenants", () => ({}));
  await s.leap(1);
  await ready(s);
  assert.deepEqual(await standing(remote), []);
  await unwanted(s);
  await uninstalled(s);
  assert.equal(last(s).operation, "Remove");
});

it("a handler that nobody configured is named, and nothing is installed for it", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  const version = alphaStore("1.0.0");
  const template = { ...version.template, trustedHandler: "nobody" };
  const remote = await enabled(s, { version: { ...version, template } });
  await said(s, "Error", /the trusted handler nobody is not configured: add it to trustedHandlers/);
  assert.deepEqual(await standing(remote), []);
  await unwanted(s);
  await uninstalled(s);
});
