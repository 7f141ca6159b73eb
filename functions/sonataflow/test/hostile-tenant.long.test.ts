import assert from "node:assert/strict";
import { test } from "vitest";
import { seededRandom } from "../../../infra/testing/random.ts";
import { ensureNamespace } from "../../../infra/testing/system/user-cluster.ts";
import { messageOf } from "../../../shared/errors.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Deployment } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { type Log, silent } from "../../../shared/log/log.ts";
import { Platform, Workflow } from "../index.ts";
import { folder, objectsIn } from "./conformance.ts";
import * as they from "./people.ts";
import { startStackCluster } from "./stack-cluster.ts";

const SEED = Number(process.env.SEED ?? 16);
const OBJECTS = 200;
const RATE = 0.05;
const TENANT = "tenant-hostile";

type Fields = Record<string, unknown>;

/** The local API cannot apply a status to what is much deeper; what the watcher makes of that is tested beside it. */
const DEEPEST = 500;
const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);

/** Other words for a value: deep, wide, long, many, odd numbers, odd names. */
function hostile(random: () => number): unknown {
  const size = Math.floor(10 ** (1 + random() * 3));
  switch (Math.floor(random() * 8)) {
    case 0:
      return nested(Math.min(size, DEEPEST));
    case 1:
      return Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index]));
    case 2:
      return "x".repeat(size * 30);
    case 3:
      return Array.from({ length: size }, (_, index) => ({ name: `n${index % 7}`, value: String(index) }));
    case 4:
      return [2 ** 53, -(2 ** 60), 1e300, 5e-324, -0, 0.1][Math.floor(random() * 6)];
    case 5:
      return ["__proto__", "constructor", "../..", "a\u0000b", "\ufffe", "{{.}}", "$(x)", ""][
        Math.floor(random() * 8)
      ];
    case 6:
      return null;
    default:
      return [];
  }
}

const oneOf = <T>(random: () => number, all: readonly T[]): T =>
  all[Math.floor(random() * all.length)] ?? assert.fail("there is none");
/** Names of fields, labels and annotations that no program expects. */
const ODD_NAMES = ["__proto__", "constructor", "toString", "", "a/b/c", "世界", "\u{1F600}", "n".repeat(300)];

/** A copy in which some fields say something else, are called otherwise, or are there beside odd ones. */
function mutated(value: unknown, random: () => number, rate: number): unknown {
  if (random() < rate) return hostile(random);
  if (Array.isArray(value)) return value.map((item) => mutated(item, random, rate));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [
    random() < rate / 4 ? oneOf(random, ["odd", ...ODD_NAMES]) : name,
    mutated(field, random, rate),
  ]);
  if (random() < rate) fields.push([oneOf(random, ODD_NAMES), hostile(random)]);
  return Object.fromEntries(fields);
}

/** What only the server reads is odd as well: owners that are none, or many, long annotations, odd labels. */
function oddMetadata(random: () => number): Fields {
  const owner = { apiVersion: "v1", kind: "ConfigMap", uid: "none" };
  return oneOf<() => Fields>(random, [
    () => ({}),
    () => ({ annotations: { "sonataflow.org/operator.id": "o".repeat(100_000) } }),
    () => ({ annotations: { [oneOf(random, ODD_NAMES)]: "\u{1F600}".repeat(20_000) } }),
    () => ({ labels: { [oneOf(random, ODD_NAMES)]: oneOf(random, ["", "x", "世", "y".repeat(63)]) } }),
    () => ({
      ownerReferences: Array.from({ length: 200 }, (_, index) => ({
        ...owner,
        name: `o${index}`.repeat(200),
      })),
    }),
    () => ({ ownerReferences: [{ ...owner, name: they.FLOW.name, controller: true }] }),
    () => ({ finalizers: ["tenant.example/never"] }),
    () => ({ annotations: { "reveille.dev/adopt": `SonataFlow/${they.FLOW.name}` } }),
  ])();
}

/** The specs to mutate: those of SonataFlow's own samples where they are there, and one with what they leave out. */
function specsOf(kind: Kind, own: Fields): readonly Fields[] {
  const samples = folder === undefined ? [] : objectsIn(folder).filter((one) => one.kind === kind);
  return [own, ...samples.map(({ object }) => object.spec as Fields)];
}

const workflow: Fields = {
  flow: { start: "Hello", states: [{ name: "Hello", type: "inject", data: { msg: "hi" }, end: true }] },
  podTemplate: {
    terminationGracePeriodSeconds: 30,
    container: { image: "x", env: [{ name: "a", value: "b" }], resources: { limits: { cpu: "1" } } },
  },
};
const platform: Fields = {
  services: { dataIndex: { enabled: true }, jobService: { enabled: true } },
  properties: { flow: [{ name: "a", value: "b" }] },
};
const map: Fields = { "application.properties": "a=b" };

test(`a tenant's hostile objects change nothing for others (SEED=${SEED})`, {
  timeout: 600_000,
}, async (t) => {
  const random = seededRandom(SEED);
  const told: string[] = [];
  const telling = (fields: object, message: string): void => {
    told.push(`${message} ${JSON.stringify(fields)}`);
  };
  const log: Log = { ...silent, warn: telling, error: telling };
  const cluster = await startStackCluster("local", { engine: { log } });
  t.onTestFinished(() => cluster.stack.stop());
  const { client, engine } = cluster.stack;
  await they.putHub(cluster);
  await they.putCluster(cluster, "a");
  await they.putWorkflow(cluster);
  await ensureNamespace(client, TENANT);
  await cluster.settled();
  const imageOf = async (): Promise<string | undefined> =>
    (await cluster.get(Deployment, they.FLOW))?.spec.template.spec?.containers?.[0]?.image;

  const workflows = specsOf(Workflow, workflow);
  const platforms = specsOf(Platform, platform);
  let taken = 0;
  for (let number = 0; number < OBJECTS; number++) {
    const [kind, body] = (
      [
        [Workflow, { spec: mutated(oneOf(random, workflows), random, RATE) }],
        [Platform, { spec: mutated(oneOf(random, platforms), random, RATE) }],
        [ConfigMap, { data: mutated(map, random, 0.3) }],
      ] as const
    )[number % 3] ?? [ConfigMap, {}];
    const { group, version, kind: name } = resourceOf(kind);
    // Some bear the name of another tenant's.
    const called = number % 3 === 0 && random() < 0.3 ? they.FLOW.name : `h${number}`;
    const object = {
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind: name,
      metadata: { ...oddMetadata(random), name: called, namespace: TENANT },
      ...body,
    } as unknown as KubeObject;
    try {
      await client.create(resourceOf(kind), object, { fieldManager: "hostile" });
      taken += 1;
    } catch (thrown) {
      // The API server has no use for it: that is an answer too, unless it is the server's own fault.
      assert.ok(thrown instanceof KubeError || thrown instanceof RangeError, messageOf(thrown));
      if (thrown instanceof KubeError) assert.notEqual(thrown.status?.code, 500, messageOf(thrown));
    }
    if (number % 50 !== 49) continue;
    await they.putWorkflow(cluster, they.FLOW, "gitops", `registry.example/onboard:${number}`);
    await cluster.settled();
    assert.equal(await imageOf(), `registry.example/onboard:${number}`, `after ${number + 1} objects`);
  }
  assert.ok(taken > OBJECTS / 4, `${taken} were taken`);
  const letters = await engine.bus.deadLetters.list();
  for (const { key, error } of letters) assert.ok(key.includes(TENANT), `${key}: ${error.message}`);
  for (const line of told) assert.ok(line.includes(TENANT), `it names no object: ${line}`);
  assert.ok(engine.bus.ready());
});
