import assert from "node:assert/strict";
import { SQSClient } from "@aws-sdk/client-sqs";
import { describe, it, type TestContext } from "vitest";
import * as z from "zod";
import { awaited, defineDynamic, defineKind, defineSystem, each } from "../../index.ts";
import { routingOf, startEngine } from "../../infra/engine/index.ts";
import { startEmulatedAws } from "../../infra/testing/emulated-aws.ts";
import { ANYBODY } from "../../infra/testing/emulated-table.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import { startNatsServer } from "../../infra/testing/nats-server.ts";
import { installKinds } from "../../infra/testing/stack.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { clusterName } from "../../infra/watcher/index.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import { openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { openSqsBus, sqsOptions } from "../../shared/bus/sqs/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { PersistentVolumeClaim } from "../../shared/kube/kinds/persistent-volume-claim.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

class Part extends defineDynamic("part") {}
class Basket extends defineKind({
  group: "waits.example.org",
  version: "v1",
  kind: "Basket",
  scope: "Namespaced",
  fields: {
    spec: z.object({
      apiVersion: z.string(),
      kind: z.string(),
      name: z.string(),
      until: z.enum(["there", "ready", "gone"]),
    }),
  },
  status: z.object({ observedGeneration: z.int(), answer: z.string() }),
}) {}

/** Waits for an object of whatever kind until it is there, ready or gone. */
const keeper = each(Basket).function({
  name: "keeper",
  reads: [awaited(Part, "followed while a Basket waits for one")],
  observe: async ({ self, read }) => {
    const { apiVersion, kind, name } = self.spec;
    const isKnown = await read.knows(Part, { apiVersion, kind });
    const at = { apiVersion, kind, name, namespace: self.metadata.namespace };
    return { part: isKnown ? await read.object(Part, at) : undefined };
  },
  reconcile: ({ self, part }) => {
    const { apiVersion, kind, name, until } = self.spec;
    const isReady = (part?.status as { readonly ready?: boolean } | undefined)?.ready === true;
    const isSo = until === "gone" ? part === undefined : until === "there" ? part !== undefined : isReady;
    const object = { apiVersion, kind, name, namespace: self.metadata.namespace };
    return {
      status: { observedGeneration: self.metadata.generation, answer: isSo ? until : "waits" },
      ...(!isSo && { waitingFor: [{ for: `${kind} ${name} to be ${until}`, object }] }),
    };
  },
});
const system = defineSystem({
  name: "baskets",
  functions: [keeper],
  config: z.object({ kinds: z.array(z.string()).default(["persistentvolumeclaims", "*.waits.example.org"]) }),
  admits: (config) => ({ part: config.kinds }),
});

const BASKETS = resourceOf(Basket);
const CLAIMS = resourceOf(PersistentVolumeClaim);
const custom = (kind: string): Resource => ({
  group: "waits.example.org",
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope: "Namespaced",
});
const definition = (kind: string): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.toLowerCase()}s.waits.example.org` },
  spec: {
    group: "waits.example.org",
    names: { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});
const CRDS: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};
const at = (name: string) => ({ namespace: "default", name });
const BY = { fieldManager: "somebody", force: true };

/** A bus, and what ends it. */
export type OpenBus = (t: TestContext, routing: ReturnType<typeof routingOf>) => Promise<Bus>;

export const embedded: OpenBus = async (t, { route, types }) => {
  const bus = openEmbeddedBus({ file: ":memory:", clock: systemClock, route, types });
  t.onTestFinished(() => bus.close());
  return bus;
};
export const onNats: OpenBus = async (t, { route, types, names }) => {
  const server = await startNatsServer();
  t.onTestFinished(() => server.stop());
  const bus = await openNatsBus({
    nats: natsOptions.parse({ servers: [server.url], maximumBytes: 16_777_216 }),
    functions: [...names],
    route,
    types,
  });
  t.onTestFinished(() => bus.close());
  return bus;
};
export const onSqs: OpenBus = async (t, { route, types, names }) => {
  const aws = await startEmulatedAws([...names]);
  t.onTestFinished(() => aws.stop());
  const { sqs } = aws.settings();
  const bus = openSqsBus({
    ...sqsOptions.parse(sqs),
    client: new SQSClient({
      endpoint: sqs.endpoint,
      region: sqs.region,
      credentials: ANYBODY,
      useQueueUrlAsEndpoint: false,
    }),
    store: new MemoryStateStore(systemClock),
    functions: [...names],
    route,
    types,
    clock: systemClock,
  });
  t.onTestFinished(() => bus.close());
  return bus;
};

const PATIENCE_MILLISECONDS = 40_000;
/** Looks in a row between which nothing is asked of the API server, before all counts as at rest. */
const QUIET_LOOKS = 25;

async function comesToRest(client: KubeClient): Promise<void> {
  let before = "";
  let quiet = 0;
  await eventually(
    "nothing more is asked of the API server",
    () => {
      const now = JSON.stringify(client.requests);
      quiet = now === before ? quiet + 1 : 0;
      before = now;
      return quiet >= QUIET_LOOKS;
    },
    PATIENCE_MILLISECONDS,
  );
}

/** Waits for objects beyond the watch list, with no resyncs. */
export function awaitedSuite(
  name: string,
  api: "local" | "real",
  openBus: OpenBus,
  skip: string | false = false,
): void {
  describe.skipIf(skip !== false)(`waits on the ${api} API, ${name}`, () => {
    it("a resource of a CRD, the end of a claim and a kind that is yet to come wake who waits for them; at rest nothing is asked", async (t) => {
      const server = await startTestApi({ api, controllers: false });
      t.onTestFinished(() => server.stop());
      const { client } = server;
      await installKinds(client, [system]);
      const put = async (object: KubeObject, resource: Resource): Promise<void> =>
        void (await client.apply(resource, object.metadata, object, BY));
      const install = async (kind: string): Promise<void> => {
        await put(definition(kind), CRDS);
        await eventually(`${kind} is served`, async () =>
          client.list(custom(kind)).then(
            () => true,
            () => false,
          ),
        );
      };
      await install("Gadget");
      const gadget = (metadata = at("g")): KubeObject => ({
        apiVersion: "waits.example.org/v1",
        kind: "Gadget",
        metadata,
      });
      await put(gadget(), custom("Gadget"));
      await put(
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { ...at("data"), finalizers: ["example.org/kept"] },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
        CLAIMS,
      );
      const routing = routingOf([system]);
      const bus = await openBus(t, routing);
      const engineClient = server.newClient();
      const engine = await startEngine({
        bus,
        routing,
        roles: { watch: { ledger: ":memory:", lease: false }, work: { nets: false } },
        client: engineClient,
        cluster: await clusterName(client, "test"),
      });
      t.onTestFinished(() => engine.stop());
      const basket = (called: string, spec: Readonly<Record<string, string>>): Promise<void> =>
        put({ apiVersion: "waits.example.org/v1", kind: "Basket", metadata: at(called), spec }, BASKETS);
      const answer = async (called: string): Promise<string | undefined> =>
        ((await client.get(BASKETS, at(called)))?.status as { readonly answer?: string } | undefined)?.answer;
      const answers = (called: string, what: string): Promise<unknown> =>
        eventually(
          `${called} says ${what}`,
          async () => (await answer(called)) === what,
          PATIENCE_MILLISECONDS,
        );
      const followed = (): readonly string[] =>
        engine.watcher
          .position()
          .awaited?.streams.map(({ kind, name }) => `${kind} ${name}`)
          .sort() ?? [];

      await basket("ready", {
        apiVersion: "waits.example.org/v1",
        kind: "Gadget",
        name: "g",
        until: "ready",
      });
      await basket("gone", { apiVersion: "v1", kind: "PersistentVolumeClaim", name: "data", until: "gone" });
      await basket("later", { apiVersion: "waits.example.org/v1", kind: "Later", name: "l", until: "there" });
      for (const called of ["ready", "gone", "later"]) await answers(called, "waits");
      await eventually(
        "all are followed",
        () =>
          followed().join() === "Gadget g,PersistentVolumeClaim data" &&
          engine.watcher.position().awaited?.absent.length === 1,
        PATIENCE_MILLISECONDS,
      );
      await comesToRest(engineClient);

      // Only the status changes: the metadata tell it by their version.
      await client.patch(
        custom("Gadget"),
        at("g"),
        "merge",
        { status: { ready: true } },
        { fieldManager: "x", subresource: "status" },
      );
      await client.delete(CLAIMS, at("data"), { uid: undefined });
      await answers("ready", "ready");
      assert.equal(await answer("gone"), "waits");
      await client.patch(
        CLAIMS,
        at("data"),
        "merge",
        { metadata: { finalizers: null } },
        { fieldManager: "x" },
      );
      await answers("gone", "gone");
      await install("Later");
      await eventually("it is followed now", () => followed().includes("Later l"), PATIENCE_MILLISECONDS);
      assert.equal(await answer("later"), "waits");
      await put({ apiVersion: "waits.example.org/v1", kind: "Later", metadata: at("l") }, custom("Later"));
      await answers("later", "there");
      await comesToRest(engineClient);
      assert.deepEqual(await bus.waits(), []);
    });
  });
}
