import assert from "node:assert/strict";
import { test } from "vitest";
import * as z from "zod";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import { itemOf, leaseOf } from "../../infra/testing/one-run.ts";
import type { Bus } from "../bus/contract.ts";
import { COMMANDS } from "../function/commands.ts";
import { defineKind, definePort, defineSystem, each, unwatched } from "../function/index.ts";
import { objectKey } from "../function/key.ts";
import { ConnectionPool, HOME } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { silent } from "../log/log.ts";
import { type ComposedHost, composeHost, type HostParts } from "./compose.ts";

const ofKind = {
  group: "unit.example.org",
  version: "v1",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
} as const;
class Jar extends defineKind({ ...ofKind, kind: "Jar" }) {}
class Cup extends defineKind({ ...ofKind, kind: "Cup" }) {}
const charts = definePort("charts").of<{ load(): Promise<void> }>();
const mails = definePort("mails").of<{ send(): Promise<void> }>();
const system = defineSystem({
  name: "unit",
  functions: [
    each(Jar).function({ name: "pours", uses: [charts], reconcile: () => ({}) }),
    each(Cup).function({ name: "tells", uses: [mails], reconcile: () => ({}) }),
  ],
});
const boundCharts = charts.bind({ load: async () => undefined }, async () => undefined);
const boundMails = mails.bind({ send: async () => undefined }, async () => undefined);

function compose(parts: Partial<HostParts>): {
  readonly host: ComposedHost;
  readonly connections: readonly string[];
} {
  const clock = new ManualClock();
  const pool = new ConnectionPool({
    home: { client: {} as KubeClient, probe: async () => undefined },
    clock,
  });
  const host = composeHost({
    systems: [system],
    client: {} as KubeClient,
    cluster: "c",
    bus: {} as Bus,
    clock,
    log: silent,
    connections: pool,
    ...parts,
  });
  pool.close();
  return { host, connections: pool.names };
}
const known = ({ host }: ReturnType<typeof compose>): readonly string[] =>
  [...host.functions.keys()].map(({ name }) => name);

test("a host knows every function, whichever run there: commands ask what they are keyed by", () => {
  const composed = compose({ only: ["pours"], ports: [boundCharts, boundMails] });
  assert.deepEqual(known(composed), ["pours", "tells"]);
  assert.deepEqual(composed.connections, [HOME, "port charts", "port mails"]);
});

test("a host that knows one function holds the connections of that one alone", () => {
  const composed = compose({ only: ["pours"], knows: ["pours"], ports: [boundCharts, boundMails] });
  assert.deepEqual(known(composed), ["pours"]);
  assert.deepEqual(composed.connections, [HOME, "port charts"]);
});

test("a host that knows one function has it wait for what another one watches", async () => {
  const waits = defineSystem({
    name: "waits",
    functions: [
      each(Jar).function({
        name: "waits",
        reads: [unwatched(Cup, "waited for")],
        reconcile: ({ self: { metadata } }) => ({
          waitingFor: [
            {
              for: "a Cup",
              object: {
                apiVersion: "unit.example.org/v1",
                kind: "Cup",
                name: "one",
                namespace: metadata.namespace,
              },
            },
          ],
        }),
      }),
      each(Cup).function({ name: "watches", reconcile: () => ({}) }),
    ],
  });
  const jar = {
    apiVersion: "unit.example.org/v1",
    kind: "Jar",
    metadata: { namespace: "a", name: "one", uid: "u", resourceVersion: "1" },
    spec: { size: 1 },
  };
  const client: Partial<KubeClient> = {
    get: async ({ kind }) => (kind === "Jar" ? jar : undefined),
  };
  const { host } = compose({
    systems: [waits],
    client: client as KubeClient,
    only: ["waits"],
    knows: ["waits"],
  });
  const key = objectKey(Jar, { cluster: "c", namespace: "a", name: "one" });
  for (const work of [
    host.work,
    host.workApart([...host.functions.keys()][0] ?? assert.fail(), client as KubeClient),
  ]) {
    const ending = await work(leaseOf(itemOf("waits", key)));
    assert.equal(ending.state, "finished", JSON.stringify(ending));
  }
});

test("a port without an adapter is refused for the functions that run here alone", () => {
  assert.throws(() => compose({ ports: [boundCharts] }), { code: "PORT_UNBOUND", message: /^tells / });
  assert.throws(() => compose({ only: ["tells"], knows: ["tells"] }), { code: "PORT_UNBOUND" });
  assert.deepEqual(known(compose({ only: ["pours"], ports: [boundCharts] })), ["pours", "tells"]);
  assert.deepEqual(known(compose({ only: [COMMANDS] })), ["pours", "tells"]);
});
