import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import {
  type ControlPlane,
  skipWithoutControlPlane,
  startControlPlane,
} from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { installCrd } from "../../infra/testing/install-crds.ts";
import { prepareApply } from "../../shared/kube/apply/prepare.ts";
import { applyEntry, wouldChange } from "../../shared/kube/apply/would-change.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import { apiVersionOf, type KubeObject } from "../../shared/kube/object.ts";
import { pastNulls } from "../../shared/runner/past-nulls.ts";

const trials = Number(process.env.TRIALS ?? 400);

/** A seeded source of choices (mulberry32). */
function choices(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const chance = (probability: number): boolean => next() < probability;
  const one = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T;
  const some = <T>(of: readonly T[]): T[] => of.filter(() => chance(0.5)).sort(() => next() - 0.5);
  return { chance, one, some };
}
type Choices = ReturnType<typeof choices>;

const maybe = (pick: Choices, name: string, make: () => unknown, probability = 0.6): object =>
  pick.chance(probability) ? { [name]: make() } : {};
const map = (pick: Choices): object =>
  Object.fromEntries(pick.some(["a", "b", "c"]).map((name) => [name, pick.one(["1", "2"])]));
const metadata = (pick: Choices): object => ({
  ...maybe(pick, "labels", () => map(pick)),
  ...maybe(pick, "annotations", () => map(pick), 0.3),
});

const thingSpec = (pick: Choices): object => ({
  ...maybe(pick, "size", () => pick.one([0, 1, 2])),
  ...maybe(pick, "text", () => pick.one(["", "x", null])),
  ...maybe(pick, "flag", () => pick.chance(0.5)),
  ...maybe(pick, "conf", () => map(pick)),
  ...maybe(pick, "tags", () => pick.some(["a", "b", "c"])),
  ...maybe(pick, "atoms", () => pick.some([1, 2, 3])),
  ...maybe(pick, "ports", () =>
    pick.some([1, 2]).map((port) => ({
      port,
      ...maybe(pick, "proto", () => "TCP", 0.4),
      ...maybe(pick, "note", () => pick.one(["x", "y"])),
    })),
  ),
  ...maybe(pick, "free", () => ({ any: pick.one([1, "1", [1], { deep: true }]) }), 0.3),
});

/** As templates render it: maps and lists that are empty mean something, at every depth. */
const slotSpec = (pick: Choices): object => ({
  ...thingSpec(pick),
  ...maybe(pick, "conf", () => pick.one([{}, map(pick)])),
  ...maybe(pick, "tags", () => pick.one([[], pick.some(["a", "b"])]), 0.5),
  ...maybe(pick, "atoms", () => pick.one([[], pick.some([1, 2])]), 0.5),
  ...maybe(pick, "free", () => pick.one([{}, { any: {} }, { any: [] }, { any: { deep: {} } }]), 0.6),
  ...maybe(pick, "nest", () => pick.one([{}, { deep: {} }, { deep: { flag: true } }, { list: [] }])),
  ...maybe(pick, "shape", () => pick.one([{}, { a: 1 }]), 0.4),
});

const deploymentSpec = (pick: Choices): object => ({
  selector: { matchLabels: { app: "x" } },
  ...maybe(pick, "replicas", () => pick.one([0, 1, 2])),
  ...maybe(pick, "paused", () => pick.chance(0.5), 0.3),
  ...maybe(pick, "strategy", () => pick.one([{ type: "Recreate" }, { type: "RollingUpdate" }]), 0.2),
  template: {
    metadata: { labels: { app: "x", ...map(pick) } },
    spec: {
      ...maybe(
        pick,
        "volumes",
        () => [{ name: "v", emptyDir: pick.one([{}, { sizeLimit: pick.one(["1Gi", "1024Mi"]) }]) }],
        0.3,
      ),
      containers: [
        {
          name: "main",
          image: pick.one(["a", "b"]),
          ...maybe(pick, "env", () =>
            pick.some(["A", "B", "C"]).map((name) => ({ name, value: pick.one(["", "1"]) })),
          ),
          ...maybe(pick, "ports", () =>
            pick
              .some([80, 81])
              .map((containerPort) => ({ containerPort, ...maybe(pick, "protocol", () => "TCP", 0.4) })),
          ),
          ...maybe(pick, "resources", () => ({
            ...maybe(pick, "limits", () => ({
              cpu: pick.one(["1", "1000m", "0.5", "500m"]),
              memory: pick.one(["1Gi", "1024Mi"]),
            })),
          })),
          ...maybe(pick, "args", () => pick.some(["x", "y"]), 0.3),
          ...maybe(pick, "securityContext", () => pick.one([{}, { runAsNonRoot: true }]), 0.2),
        },
      ],
    },
  },
});

interface Case {
  readonly resource: Resource;
  readonly custom: boolean;
  /** Objects that only data names. */
  readonly asSaid?: boolean;
  readonly make: (pick: Choices) => object;
  readonly edit: (pick: Choices) => object;
}
const things: Resource = {
  group: "test.reveille.dev",
  version: "v1",
  kind: "Thing",
  plural: "things",
  scope: "Namespaced",
};
const cases: readonly Case[] = [
  {
    resource: things,
    custom: true,
    make: (pick) => ({ spec: thingSpec(pick) }),
    edit: (pick) => ({
      spec: { size: pick.one([null, 5]), conf: pick.one([null, { a: "9" }, { a: null }]) },
    }),
  },
  {
    resource: things,
    custom: true,
    asSaid: true,
    make: (pick) => (pick.chance(0.1) ? { spec: {} } : { spec: slotSpec(pick) }),
    edit: (pick) => ({
      spec: pick.one([
        { size: pick.one([null, 5]), conf: pick.one([null, {}, { a: "9" }, { a: null }]) },
        { nest: pick.one([null, {}, { deep: {} }]), free: pick.one([null, {}, { other: {} }]) },
      ]),
    }),
  },
  {
    resource: {
      group: "apps",
      version: "v1",
      kind: "Deployment",
      plural: "deployments",
      scope: "Namespaced",
    },
    custom: false,
    make: (pick) => ({ spec: deploymentSpec(pick) }),
    edit: (pick) => ({
      spec: { replicas: pick.one([1, 3]) },
      metadata: { labels: { a: pick.one([null, "9"]) } },
    }),
  },
  {
    resource: { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", scope: "Namespaced" },
    custom: false,
    make: (pick) => maybe(pick, "data", () => map(pick), 0.9),
    edit: (pick) => ({ data: { a: pick.one([null, "9"]) } }),
  },
];

const properties = {
  size: { type: "integer" },
  text: { type: "string", nullable: true },
  flag: { type: "boolean" },
  defaulted: { type: "string", default: "d" },
  conf: { type: "object", additionalProperties: { type: "string" } },
  tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
  atoms: { type: "array", items: { type: "integer" } },
  ports: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "proto"],
    items: {
      type: "object",
      required: ["port"],
      properties: {
        port: { type: "integer" },
        proto: { type: "string", default: "TCP" },
        note: { type: "string" },
      },
    },
  },
  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  nest: {
    type: "object",
    properties: {
      deep: { type: "object", properties: { flag: { type: "boolean" } } },
      list: { type: "array", items: { type: "string" } },
      filled: { type: "string", default: "d" },
    },
  },
  shape: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "integer" } } },
};
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.test.reveille.dev" },
  spec: {
    group: things.group,
    scope: "Namespaced",
    names: { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
      },
    ],
  },
};

/** Everything that matters of an object: without its version and the times and order of managers; of built-ins, of our own fields alone. */
function substance(object: KubeObject, custom: boolean): string {
  const { managedFields = [], resourceVersion: _version, ...metadata } = object.metadata;
  const owned = custom
    ? managedFields.map(({ time: _time, ...entry }) => JSON.stringify(entry)).sort()
    : applyEntry(object, "ours", undefined)?.fieldsV1;
  return JSON.stringify([{ ...object, metadata }, owned]);
}

/** An object of which it is said, however often its apply was repeated, that the next one would change it. */
interface Restless {
  readonly seed: number;
  readonly wanted: KubeObject;
  readonly last: KubeObject;
  readonly at: number;
}
/** An apply in another second gets another time in managedFields, where the server takes it for news. */
const OTHER_SECOND = 1100;

describe("would this apply change nothing, asked of the real server", {
  skip: skipWithoutControlPlane() !== false,
}, () => {
  let plane: ControlPlane;
  let client: KubeClient;
  beforeAll(async () => {
    plane = await startControlPlane();
    client = createKubeClient({ connection: loadConnection({ file: plane.kubeconfigFile }) });
    await installCrd(client, definition, things);
  });
  afterAll(async () => {
    client?.close();
    await plane?.stop();
  });

  for (const { resource, custom, asSaid = false, make, edit } of cases) {
    const what = `${resource.kind}${asSaid ? " of a slot" : ""}`;
    test(`${trials} random applies to a ${what}: no false skip, and no version moves for ever`, async () => {
      const tally = { skipped: 0, sent: 0, needless: 0, refused: 0, emptied: 0 };
      const options = { fieldManager: "ours", custom };
      const bodyOver = (wanted: KubeObject, live: KubeObject): KubeObject =>
        prepareApply(wanted, { custom, asSaid, live });
      const restless: Restless[] = [];
      const generations = new Map<number, number>();
      for (let seed = 1; seed <= trials; seed++) {
        const pick = choices(seed);
        const generation = generations.get(seed % 20) ?? 0;
        const name = `${asSaid ? "s" : "o"}-${seed % 20}-${generation}`;
        const place = { namespace: "default", name };
        const body = (): KubeObject =>
          ({
            apiVersion: apiVersionOf(resource),
            kind: resource.kind,
            metadata: { name, ...metadata(pick) },
            ...make(pick),
          }) as KubeObject;
        const attempt = async (send: Promise<KubeObject>): Promise<KubeObject | undefined> => {
          try {
            return await send;
          } catch (error) {
            // Some random bodies are no valid objects: they teach nothing.
            if (error instanceof KubeError && error.kind === "invalid") {
              if (asSaid) assert.doesNotMatch(error.message, /"?null"?/, `seed ${seed}`);
              return undefined;
            }
            throw error;
          }
        };
        const apply = async (fieldManager: string, desired: KubeObject): Promise<KubeObject | undefined> => {
          const prepared = prepareApply(desired, { custom, asSaid });
          const sent = pastNulls(
            await client.get(resource, place),
            () => client.apply(resource, place, prepared, { fieldManager, force: true }),
            (over, operations) => client.patch(resource, over.metadata, "json", operations, { fieldManager }),
          );
          return attempt(sent);
        };
        const first = body();
        await apply("ours", first);
        if (pick.chance(0.5)) await apply("theirs", body());
        if (pick.chance(0.3))
          await attempt(client.patch(resource, place, "merge", edit(pick), { fieldManager: "editor" }));
        const live = await client.get(resource, place);
        if (live === undefined) continue;
        const wanted = pick.chance(0.6) ? first : body();
        const desired = bodyOver(wanted, live);
        const predicted = wouldChange(desired, live, options);
        const sent = pastNulls(
          live,
          () => client.apply(resource, place, desired, { fieldManager: "ours", force: true }),
          (over, operations) => {
            tally.emptied++;
            return client.patch(resource, over.metadata, "json", operations, { fieldManager: "ours" });
          },
        );
        const answer = await attempt(sent);
        if (answer === undefined) {
          tally.refused++;
          continue;
        }
        // The server needs up to three applies to forget an empty set or list that was full.
        let last = answer;
        const differs = (): boolean => predicted && wouldChange(bodyOver(wanted, last), last, options);
        for (let more = 0; more < 3 && differs(); more++)
          last = await client.apply(resource, place, bodyOver(wanted, last), { ...options, force: true });
        if (differs()) {
          restless.push({ seed, wanted, last, at: Date.now() });
          // It stays as it is, for the look in another second.
          generations.set(seed % 20, generation + 1);
        }
        const changed = substance(answer, custom) !== substance(live, custom);
        if (!predicted)
          assert.equal(
            changed,
            false,
            `seed ${seed}: skipped ${JSON.stringify(desired)} over ${JSON.stringify(live)} gave ${JSON.stringify(answer)}`,
          );
        if (!predicted) tally.skipped++;
        else if (changed) tally.sent++;
        else tally.needless++;
      }
      for (const { seed, wanted, last, at } of restless) {
        await eventually("another second", () => Date.now() > at + OTHER_SECOND);
        const once = bodyOver(wanted, last);
        const more = await client.apply(resource, last.metadata, once, { ...options, force: true });
        assert.equal(
          more.metadata.resourceVersion,
          last.metadata.resourceVersion,
          `seed ${seed}: each second an apply of ${JSON.stringify(wanted)} moves the version of ${JSON.stringify(last)}`,
        );
      }
      assert.ok(tally.skipped > trials / 10, `it skips at all: ${JSON.stringify(tally)}`);
      assert.ok(tally.needless < tally.skipped, `it skips most of what it may: ${JSON.stringify(tally)}`);
      console.log(what, JSON.stringify({ ...tally, restless: restless.length }));
    });
  }
});
