import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, type TestContext, test } from "vitest";
import { freePort, HOST } from "../../infra/control-plane/ports.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { render } from "./chart.ts";
import {
  configurationOf,
  environmentOf,
  makeCertificate,
  type NatsPod,
  natsOf,
  startNatsPods,
} from "./nats-pods.ts";
import { passwordOf } from "./pods.ts";

const auth = { method: "password", secretName: "passwords" };
const START_MILLISECONDS = 60_000;

/** The chart's servers, each with routes to all others. */
async function clusterOf(t: TestContext, values: object, tls?: string): Promise<readonly NatsPod[]> {
  const pods = await startNatsPods(
    render({ "nats.replicas": 3, ...values }),
    tls === undefined ? {} : { tls },
  );
  t.onTestFinished(async () => {
    await Promise.all(pods.map((pod) => pod.stop()));
  });
  const formed = Promise.all(
    pods.map(async (pod) => {
      const others = pods.map(({ name }) => name).filter((name) => name !== pod.name);
      await eventually(
        `${pod.name} to have routes to ${others}, and a leader`,
        async () => (await pod.isHealthy()) && isDeepStrictEqual(await pod.peers(), others),
        START_MILLISECONDS,
      );
    }),
  );
  await Promise.race([formed, ...pods.map((pod) => pod.failure())]);
  return pods;
}

/** Somebody's server that calls itself one of the cluster. */
async function startStranger(
  t: TestContext,
  [pod]: readonly NatsPod[],
  credentials = "",
  more = "",
): Promise<void> {
  const stranger = await startNatsServer({
    name: "stranger",
    waits: false,
    configuration: [
      "cluster {",
      "  name: reveille-nats",
      `  listen: ${HOST}:${await freePort()}`,
      `  routes: ["nats://${credentials}${HOST}:${pod?.routePort}"]`,
      more,
      "}",
    ].join("\n"),
  });
  t.onTestFinished(() => stranger.stop());
}

const peersOf = async (pods: readonly NatsPod[]): Promise<readonly string[]> =>
  (await Promise.all(pods.map((pod) => pod.peers()))).flat();

/** The first pod turns the stranger away, and says why. */
async function assertRefused(
  t: TestContext,
  pods: readonly NatsPod[],
  reason: string,
  ...how: readonly string[]
): Promise<void> {
  const count = (): number => (pods[0]?.log() ?? "").split(reason).length;
  const before = count();
  await startStranger(t, pods, ...how);
  await eventually(`a stranger is refused: ${reason}`, () => count() > before);
  assert.ok(!(await peersOf(pods)).includes("stranger"));
}

const skip = skipWithoutHelm() || skipWithoutNats();
describe("the chart's NATS, on real servers", { skip: skip !== false, timeout: 180_000 }, () => {
  for (const replicas of [1, 3])
    test(`has a configuration that nats-server takes: ${replicas}`, (t) => {
      const folder = mkdtempSync(join(tmpdir(), "chart-nats-"));
      t.onTestFinished(() => rmSync(folder, { recursive: true }));
      const objects = render({ "nats.replicas": replicas, "bus.auth": auth });
      const file = join(folder, "nats.conf");
      writeFileSync(
        file,
        configurationOf(objects).replaceAll(/(store_dir: |pid_file: )\/(data|run\/nats)/g, `$1${folder}`),
      );
      execFileSync("nats-server", ["-t", "-c", file], {
        env: { PATH: process.env.PATH, ...environmentOf(natsOf(objects).env, "reveille-nats-0") },
        stdio: ["ignore", "pipe", "pipe"],
      });
    });

  test("is joined by servers with the password of the routes, and by no others", async (t) => {
    const pods = await clusterOf(t, { "bus.auth": auth });
    const reason = "authentication error";
    await assertRefused(t, pods, reason);
    await assertRefused(t, pods, reason, `reveille-watcher:${passwordOf("watcher")}@`);
    await startStranger(t, pods, `reveille-nats:${passwordOf("nats")}@`);
    await eventually("the one with the password joins", async () =>
      (await peersOf(pods)).includes("stranger"),
    );
    for (const pod of pods) assert.ok(!pod.log().includes(passwordOf("nats")));
  });

  test("has routes with TLS on both sides where the bus has it", async (t) => {
    const tls = makeCertificate();
    t.onTestFinished(() => rmSync(tls, { recursive: true }));
    const pods = await clusterOf(t, { "bus.auth": auth, "bus.tls.secretName": "tls" }, tls);
    const password = `reveille-nats:${passwordOf("nats")}@`;
    await assertRefused(t, pods, "first record does not look like a TLS handshake", password);
    const withoutCertificate = "  tls { insecure: true }";
    await assertRefused(t, pods, "client didn't provide a certificate", password, withoutCertificate);
  });

  test("is a cluster without users and TLS too", async (t) => {
    await clusterOf(t, {});
  });
});
