import assert from "node:assert/strict";
import { test } from "vitest";
import { Platform, Workflow } from "../../functions/sonataflow/index.ts";
import { seededRandom } from "../../infra/testing/random.ts";
import { messageOf } from "../../shared/errors.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Deployment } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import * as they from "./people.ts";
import { ensureNamespace, startStackCluster } from "./stack-cluster.ts";

const SEED = Number(process.env.SEED ?? 16);
const OBJECTS = 200;
const TENANT = "tenant-hostile";

type Fields = Record<string, unknown>;

/** Other words for a value: deep, wide, long, many, odd numbers, odd names. */
function hostile(random: () => number): unknown {
  const size = Math.floor(10 ** (1 + random() * 3));
  switch (Math.floor(random() * 8)) {
    case 0:
      return JSON.parse(`${'{"a":'.repeat(Math.min(size, 3_000))}1${"}".repeat(Math.min(size, 3_000))}`);
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

/** A copy in which some fields say something else. */
function mutated(value: unknown, random: () => number, rate: number): unknown {
  if (random() < rate) return hostile(random);
  if (Array.isArray(value)) return value.map((item) => mutated(item, random, rate));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      random() < rate / 4 ? `odd-${name}` : name,
      mutated(field, random, rate),
    ]),
  );
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
  const cluster = await startStackCluster("local");
  t.onTestFinished(() => cluster.stack.stop());
  const { client, engine } = cluster.stack;
  await they.putHub(cluster);
  await they.putCluster(cluster, "a");
  await they.putWorkflow(cluster);
  await ensureNamespace(client, TENANT);
  await cluster.settled();
  const imageOf = async (): Promise<string | undefined> =>
    (await cluster.get(Deployment, they.FLOW))?.spec.template.spec?.containers?.[0]?.image;

  let taken = 0;
  for (let number = 0; number < OBJECTS; number++) {
    const [kind, body] = (
      [
        [Workflow, { spec: mutated(workflow, random, 0.12) }],
        [Platform, { spec: mutated(platform, random, 0.12) }],
        [ConfigMap, { data: mutated(map, random, 0.3) }],
      ] as const
    )[number % 3] ?? [ConfigMap, {}];
    const { group, version, kind: name } = resourceOf(kind);
    // Some bear the name of another tenant's.
    const called = number % 3 === 0 && random() < 0.3 ? they.FLOW.name : `h${number}`;
    const annotations = random() < 0.3 ? { "sonataflow.org/operator.id": "o".repeat(100_000) } : {};
    const object = {
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind: name,
      metadata: { name: called, namespace: TENANT, annotations },
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
  assert.ok(engine.bus.ready());
});
