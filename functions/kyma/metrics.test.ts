import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import { createAuthority } from "../../shared/tls/index.ts";
import { LABELS } from "./kinds/index.ts";
import { metrics } from "./metrics.ts";

const object = (kind: string, name: string, more: Readonly<Record<string, unknown>>, labels = {}) =>
  ({
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind,
    metadata: { name, namespace: "kcp-system", labels },
    ...more,
  }) as KubeObject;
const STORED: Readonly<Record<string, readonly KubeObject[]>> = {
  Kyma: [
    object(
      "Kyma",
      "rt-1",
      { status: { state: "Warning", modules: [{ name: "alpha", state: "Warning" }] } },
      { "kyma-project.io/shoot-name": "s-1", "kyma-project.io/instance-id": "i-1" },
    ),
    object("Kyma", "rt-2", {}),
  ],
  ModuleReleaseMeta: [
    object("ModuleReleaseMeta", "audit", { spec: { mandatory: { version: "1.0.0" } } }),
    object("ModuleReleaseMeta", "alpha", { spec: { channels: [] } }),
  ],
  Manifest: [
    object(
      "Manifest",
      "rt-1-audit",
      { status: { state: "Ready" } },
      { [LABELS.moduleName]: "audit", [LABELS.kymaName]: "rt-1", [LABELS.mandatoryModule]: "true" },
    ),
  ],
};

const NOW = Date.parse("2026-02-01T00:00:00Z");
const DAY = 86_400_000;
const clock = { now: () => NOW };
/** What is no scrape's affair: nothing is told of certificates. */
const POLICY = "maintenance_window_config_read_success  1";

/** One look at a server that tells of these kinds, an object a page. */
async function look(...told: readonly string[]) {
  const list: KubeClient["list"] = async ({ kind }, options = {}) => {
    if (!told.includes(kind)) throw new Error("forbidden");
    const items = STORED[kind] ?? [];
    const at = Number(options.continue ?? "0");
    const next = at + 1 < items.length ? { continue: String(at + 1) } : {};
    return { items: items.slice(at, at + 1), metadata: { resourceVersion: "1", ...next } };
  };
  return metrics.open({ list, get: async () => undefined }, silent, clock)();
}
const scrape = async (...told: readonly string[]): Promise<readonly string[]> => linesOf(await look(...told));

function linesOf({ samples }: Awaited<ReturnType<ReturnType<typeof metrics.open>>>): readonly string[] {
  return Object.entries(samples).flatMap(([name, lines]) =>
    lines.map(
      ({ labels, value }) =>
        `${name.replace("lifecycle_mgr_", "")} ${Object.entries(labels)
          .map(([label, word]) => `${label}=${word}`)
          .sort()
          .join()} ${value}`,
    ),
  );
}

test("Kymas, their modules and those that each cluster gets are told under upstream's names", async () => {
  assert.deepEqual(await scrape("Kyma", "ModuleReleaseMeta", "Manifest"), [
    "kyma_state instance_id=i-1,kyma_name=rt-1,shoot=s-1,state=Warning 1",
    "kyma_state instance_id=,kyma_name=rt-2,shoot=,state= 1",
    "module_state instance_id=i-1,kyma_name=rt-1,module_name=alpha,shoot=s-1,state=Warning 1",
    "mandatory_modules  1",
    "mandatory_module_state kyma_name=rt-1,module_name=audit,state=Ready 1",
    POLICY,
  ]);
});

test("what a worker may not read is left out, and the rest is told", async () => {
  assert.deepEqual(await scrape("ModuleReleaseMeta"), ["mandatory_modules  1", POLICY]);
  for (const [told, isWhole] of [
    [["Kyma", "ModuleReleaseMeta", "Manifest"], true],
    [["ModuleReleaseMeta", "Manifest"], false],
    [["Kyma", "Manifest"], false],
    [["Kyma", "ModuleReleaseMeta"], false],
  ] as const)
    assert.equal((await look(...told)).isWhole, isWhole, told.join());
});

/** A server whose Secrets have certificates that end after so many days, and a clock that can be set. */
function certified(days: Record<string, number>, kymas = Object.keys(days).length) {
  const authority = createAuthority({ notBefore: 0, notAfter: NOW + 900 * DAY });
  let now = NOW;
  const seen: string[] = [];
  const get: KubeClient["get"] = async (_, { name, namespace }) => {
    seen.push(`${namespace}/${name}`);
    const end = days[name];
    if (end === undefined) return undefined;
    const { certificate } = authority.issue({ commonName: name, notBefore: 0, notAfter: NOW + end * DAY });
    return object("Secret", name, { data: { "tls.crt": Buffer.from(certificate).toString("base64") } });
  };
  const list: KubeClient["list"] = async ({ kind }) => ({
    items:
      kind === "Kyma" ? Array.from({ length: kymas }, (_, at) => object("Kyma", `rt-${at + 1}`, {})) : [],
    metadata: { resourceVersion: "1" },
  });
  const look = metrics.open({ list, get }, silent, { now: () => now });
  return {
    days,
    seen,
    scrape: async (afterDays = 0) => {
      now = NOW + afterDays * DAY;
      seen.length = 0;
      return linesOf(await look()).filter((line) => line.includes("cert"));
    },
  };
}
const CLOSE = "gateway_secret_server_cert_close_to_expiry";

test("the gateway's certificate is told from two weeks before its end on, or where it is none", async () => {
  for (const [days, value] of [
    [15, 0],
    [14, 1],
    [-1, 1],
  ] as const)
    assert.deepEqual(await certified({ "klm-istio-gateway": days }, 0).scrape(), [`${CLOSE}  ${value}`]);
  assert.deepEqual(await certified({}, 0).scrape(), [], "without a gateway");
});

test("a runtime's certificate is told once its renewal is a day late, until it is renewed", async () => {
  const server = certified({ "klm-istio-gateway": 60, "rt-1-webhook-tls": 29, "rt-2-webhook-tls": 29.5 });
  const late = "self_signed_cert_not_renew kyma_name=rt-1 1";
  assert.deepEqual(await server.scrape(), [late, `${CLOSE}  0`]);
  assert.deepEqual(await server.scrape(0.25), [late, `${CLOSE}  0`]);
  server.days["rt-1-webhook-tls"] = 90;
  assert.deepEqual(await server.scrape(0.3), [`${CLOSE}  0`]);
});

test("certificates at rest are read once, a hundred a scrape, and those that are missing once an hour", async () => {
  const fleet = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`rt-${at + 1}-webhook-tls`, 60]));
  const server = certified({ "klm-istio-gateway": 60, ...fleet }, 140);
  const asked = async (afterDays: number): Promise<number> => {
    await server.scrape(afterDays);
    return server.seen.length - 1;
  };
  assert.deepEqual(
    [await asked(0), await asked(0), await asked(0.01), await asked(1 / 24)],
    [100, 40, 0, 10],
  );
});

test("nothing of a Secret is in a log where it cannot be read", async () => {
  const said: string[] = [];
  const log = {
    ...silent,
    warn: (fields: object, text: string) => void said.push(JSON.stringify(fields) + text),
  };
  const get = async () => {
    throw new Error("forbidden");
  };
  const list: KubeClient["list"] = async () => ({ items: [], metadata: { resourceVersion: "1" } });
  const answer = await metrics.open({ list, get }, log, clock)();
  assert.deepEqual([answer.isWhole, linesOf(answer)], [false, ["mandatory_modules  0", POLICY]]);
  assert.deepEqual(said, ['{"error":"forbidden","kind":"Secret"}what the metrics tell of could not be read']);
});
