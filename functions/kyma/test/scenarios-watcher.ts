import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { WEBHOOK_REGISTRATIONS } from "../../../infra/testing/webhook-registrations.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { createAuthority } from "../../../shared/tls/index.ts";
import { ANNOTATIONS, CONTROL_PLANE, Kyma, LABELS, RUNTIME_KYMA, RUNTIME_NAMESPACE } from "../kinds/index.ts";
import { GATEWAYS } from "./issuing.ts";
import type { Stage } from "./stage.ts";
import {
  beat,
  certificateOf,
  condition,
  heard,
  leaseOf,
  program,
  programRuns,
  RUNTIME_ID,
  secretOf,
  send,
  watchedRuntime,
} from "./watching.ts";

const DAY_MINUTES = 24 * 60;
const DAY = DAY_MINUTES * 60_000;
const encoded = (text: string): string => Buffer.from(text).toString("base64");

/** Runtimes tell of their changes: 33, 34, 35, 36. */
export const watching: readonly Scenario<Stage>[] = [
  {
    number: 33,
    name: "an event that comes before its change is stored changes nothing, and what it is told again of is taken over",
    async run(s) {
      const there = await watchedRuntime(s);
      await beat(s);
      assert.equal((await condition(s, "Watch"))?.status, "True");
      // From here on nobody watches the runtime but the program in it.
      await s.leap(1);
      const at = { name: RUNTIME_KYMA, namespace: RUNTIME_NAMESPACE };
      const event = { watched: { Namespace: at.namespace, Name: at.name } };
      const taken = async (): Promise<string> =>
        (await s.get(Kyma, { name: "rt-1", namespace: CONTROL_PLANE }))?.metadata.annotations[
          ANNOTATIONS.userSpec
        ] ?? "";
      assert.equal(await send(s, event), 202);
      assert.doesNotMatch(await taken(), /fast/);
      await there.client.patch(
        resourceOf(Kyma),
        at,
        "merge",
        { spec: { channel: "fast" } },
        { fieldManager: "user" },
      );
      await s.settled();
      assert.doesNotMatch(await taken(), /fast/, "it has not been told of");
      // The program tells it once more after a second, and after five.
      assert.equal(await send(s, event), 202);
      assert.match(await taken(), /fast/);
    },
  },
  {
    number: 34,
    name: "a runtime that says nothing for too long is looked at, it alone, until it says something again",
    async run(s) {
      const there = await watchedRuntime(s);
      const installed = await condition(s, "SKRWebhook");
      assert.deepEqual([installed?.status, installed?.message], ["True", ""]);
      for (const namespace of [GATEWAYS, CONTROL_PLANE])
        assert.deepEqual(
          Object.keys(await secretOf(s, "klm-istio-gateway", namespace)),
          ["ca.crt", "tls.crt", "tls.key"],
          namespace,
        );
      const registered = await there.client.get(WEBHOOK_REGISTRATIONS, { name: "skr-webhook" });
      assert.match(JSON.stringify(registered), /kcp-system\.kymas\.operator\.kyma-project\.io/);

      const changes = heard(s, "runtime.changed");
      const { beat: beats, miss } = program(s);
      assert.equal(await beats(), 202);
      assert.equal((await condition(s, "Watch"))?.status, "True");
      const stored = await leaseOf(s);
      assert.ok(stored?.spec?.holderIdentity, "it is heard");
      for (let minute = 0; minute < 3; minute++) {
        await s.leap(1);
        await beats();
      }
      await s.leap(1);
      assert.equal((await condition(s, "Watch"))?.status, "True");
      assert.equal((await leaseOf(s))?.metadata.resourceVersion, stored.metadata.resourceVersion);
      assert.deepEqual(changes.events, []);
      miss();
      await beats();
      assert.equal(changes.events.length, 1, "what did not arrive is looked for");
      assert.equal((await condition(s, "Watch"))?.status, "True");

      await s.leap(4);
      const silent = await condition(s, "Watch");
      assert.deepEqual([silent?.status, silent?.reason], ["False", "Silent"]);
      assert.match(silent?.message ?? "", /looked at every 5 minutes/);
      assert.equal((await leaseOf(s))?.spec?.holderIdentity, "");
      const first = changes.events.length;
      assert.ok(first >= 2);
      for (const { data } of changes.events)
        assert.equal((data as { readonly runtimeId: string }).runtimeId, RUNTIME_ID);
      await s.leap(5);
      assert.ok(changes.events.length > first, "it is looked at again");

      const before = changes.events.length;
      await beats();
      assert.equal((await condition(s, "Watch"))?.status, "True");
      assert.ok(changes.events.length > before, "once more, now that it is back");
      const last = changes.events.length;
      for (let minute = 0; minute < 3; minute++) {
        await s.leap(1);
        await beats();
      }
      assert.equal(changes.events.length, last, "it is looked at no more");
      changes.stop();
    },
  },
  {
    number: 34,
    name: "a runtime whose identity another Kyma bears as well is followed as long as that lasts: what it tells counts for nobody",
    async run(s) {
      const there = await watchedRuntime(s);
      await beat(s);
      assert.equal((await condition(s, "Watch"))?.status, "True");
      await s.wants({}, { name: "rt-2", labels: { [LABELS.runtimeId]: RUNTIME_ID } });
      await s.settled();
      const shared = await condition(s, "Watch");
      assert.deepEqual([shared?.status, shared?.reason], ["False", "Shared"]);
      assert.match(shared?.message ?? "", /runtime-4711: rt-2\. /);
      const taken = async (): Promise<string> =>
        (await s.get(Kyma, { name: "rt-1", namespace: CONTROL_PLANE }))?.metadata.annotations[
          ANNOTATIONS.userSpec
        ] ?? "";
      // Nobody tells of it, and it is found.
      await there.client.patch(
        resourceOf(Kyma),
        { name: RUNTIME_KYMA, namespace: RUNTIME_NAMESPACE },
        "merge",
        { spec: { channel: "fast" } },
        { fieldManager: "user" },
      );
      await s.until("it to be taken over", async () => /fast/.test(await taken()));
      await s.stack.client.delete(
        resourceOf(Kyma),
        { name: "rt-2", namespace: CONTROL_PLANE },
        { uid: undefined },
      );
      await s.until("it to be told again", async () => (await condition(s, "Watch"))?.status === "True");
    },
  },
  {
    number: 35,
    name: "what no certificate of ours proves is refused, and wakes nobody",
    async run(s) {
      await watchedRuntime(s);
      const changes = heard(s, "runtime.changed");
      const times = { notBefore: s.now() - 60_000, notAfter: s.now() + 3_600_000 };
      const forged = createAuthority(times).issue({ commonName: RUNTIME_ID, ...times });
      const event = { watched: { Namespace: "kyma-system", Name: "default" } };
      assert.equal(await send(s, event, { certificate: forged.certificate }), 401);
      assert.equal(await send(s, event, { certificate: "" }), 401);
      assert.equal(await send(s, "x".repeat(20 * 1024)), 413);
      assert.equal(await send(s, event, { method: "GET" }), 405);
      assert.equal(await send(s, "{"), 500);
      assert.deepEqual(changes.events, []);
      assert.equal(await send(s, event), 202);
      assert.equal(changes.events.length, 1);
      changes.stop();
    },
  },
  {
    number: 36,
    name: "a new authority is trusted first, then issues, and is shown last; no delivery fails meanwhile",
    async run(s) {
      // The authority is there already, and is to be replaced in 35 days.
      const made = s.now() - 240 * DAY;
      const { certificate, key } = createAuthority({ notBefore: made, notAfter: made + 365 * DAY });
      await s.put(
        Secret,
        { name: "klm-watcher", namespace: CONTROL_PLANE },
        { data: { "tls.crt": encoded(certificate), "tls.key": encoded(key) } },
      );
      const there = await watchedRuntime(s);
      const deliver = async (days = 0): Promise<void> => {
        if (days > 0) await s.leap(days * DAY_MINUTES);
        await programRuns(s, there);
        assert.equal(await beat(s), 202);
      };
      await deliver();
      const issuerOf = async (name: string): Promise<string> => (await certificateOf(s, name)).issuer;
      const shown = async (): Promise<string | undefined> =>
        (await secretOf(s, "rt-1-webhook-tls"))["tls.crt"];
      const first = (await certificateOf(s, "klm-watcher")).subject;
      assert.deepEqual(
        [await issuerOf("klm-istio-gateway"), await issuerOf("rt-1-webhook-tls")],
        [first, first],
      );
      const before = await shown();
      assert.ok(before !== undefined);

      await deliver(31);
      assert.notEqual(await shown(), before, "renewed by the same authority");
      assert.equal(await issuerOf("rt-1-webhook-tls"), first);
      await deliver(5);
      const second = (await certificateOf(s, "klm-watcher")).subject;
      assert.notEqual(second, first);
      const bundle = (await secretOf(s, "klm-istio-gateway"))["ca.crt"] ?? "";
      assert.equal(bundle.match(/BEGIN/g)?.length, 2);
      assert.equal(await issuerOf("klm-istio-gateway"), first, "shown last");
      assert.equal(await send(s, {}, { certificate: before }), 202, "trusted until it ends");
      await deliver(5);
      assert.deepEqual(
        [await issuerOf("rt-1-webhook-tls"), await issuerOf("klm-istio-gateway")],
        [second, second],
      );
      await deliver(20);
      assert.equal(await send(s, {}, { certificate: before }), 401, "its time is over");
    },
  },
];
