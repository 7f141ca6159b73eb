import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "vitest";
import type { Envelope } from "../../../../events/index.ts";
import { eventually } from "../../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { keptLog } from "../../../../infra/testing/watched-cluster.ts";
import { type Log, silent } from "../../../../shared/log/log.ts";
import { createAuthority } from "../../../../shared/tls/index.ts";
import { playedHome } from "../../test/home.ts";
import { metricsText, runRuntimeWatcher, startRuntimeWatcher } from "./adapters/index.ts";

const authority = createAuthority();
const runtime = authority.issue({
  commonName: "rt-1",
  serverNames: ["skr-webhook.kyma-system.svc", "localhost"],
  client: true,
});

/** A control plane that takes events as `serve` does, and a program that tells it. */
async function stage(t: TestContext, log: Log = silent) {
  const folder = mkdtempSync(join(tmpdir(), "reveille-runtime-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const clock = new ManualClock(Date.now());
  const home = await playedHome(authority, clock);
  t.onTestFinished(() => home.stop());
  const files = {
    certificate: at("tls.crt", runtime.certificate),
    key: at("tls.key", runtime.key),
    authorities: at("ca.crt", authority.certificate),
  };
  const queue = join(folder, "queue");
  const start = () =>
    startRuntimeWatcher({
      port: 0,
      host: "127.0.0.1",
      files,
      controlPlane: home.address,
      manager: "lifecycle-manager",
      folder: queue,
      beat: 60_000,
      clock,
      log,
    });
  const running = await start();
  t.onTestFinished(() => running.stop());
  const told = (type: string): readonly Envelope[] => home.published.filter((one) => one.type === type);
  return { running, start, clock, told, home, queue, files };
}

/** Asks as an API server does. */
function ask(
  port: number,
  body: string | undefined,
  over: object = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      host: "localhost",
      path: "/validate/lifecycle-manager",
      method: "POST",
      ca: authority.certificate,
      agent: false as const,
      ...over,
    };
    const asked = request(options, (response) => {
      let text = "";
      response.on("data", (bytes: Buffer) => {
        text += bytes.toString();
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on("error", reject);
    if (body === undefined) asked.flushHeaders();
    else asked.end(body);
  });
}

const review = (name = "default", over: object = {}): string =>
  JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u1",
      kind: { group: "operator.kyma-project.io", version: "v1beta2", kind: "Kyma" },
      operation: "CREATE",
      namespace: "kyma-system",
      name,
      ...over,
    },
  });
const nameIn = ({ data }: Envelope): unknown =>
  (data as { readonly watched?: { readonly name: string } }).watched?.name;

describe("the program in a runtime", () => {
  it("tells at its start that anything may have changed, and each minute that it is alive", async (t) => {
    const { told, clock, home } = await stage(t);
    const beats = (count: number) => eventually("a beat", async () => home.beats.length === count);
    await eventually("its start to be told", async () => told("runtime.changed").length > 0);
    assert.equal(home.beats.length, 1, "before what else there is to tell");
    clock.advance(60_000);
    await beats(2);
    assert.deepEqual(home.beats, [
      { number: 1, after: 0, seconds: 60 },
      { number: 2, after: 1, seconds: 60 },
    ]);
  });

  it("says which signs of life were not answered", async (t) => {
    const { running, told, clock, home } = await stage(t);
    await eventually("its start to be told", async () => told("runtime.changed").length > 0);
    await eventually("a beat", async () => home.beats.length === 1);
    home.reach(false);
    await eventually("beats and what else is told to fail", async () => {
      clock.advance(60_000);
      return running.counts().failed > 5;
    });
    home.reach(true);
    await eventually("another", async () => {
      clock.advance(60_000);
      return home.beats.length > 1;
    });
    const next = home.beats[1] ?? assert.fail("it is there");
    assert.equal(next.after, 1);
    assert.ok(next.number > 2, `${next.number}`);
  });

  it("answers at once, and tells of the change now, after one second and after five", async (t) => {
    const { running, told, clock } = await stage(t);
    const { status, text } = await ask(running.port, review());
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text).response, { uid: "u1", allowed: true });
    const times = (): number => told("runtime.changed").filter((one) => nameIn(one) === "default").length;
    await eventually("it is told", async () => times() === 1);
    for (const [after, expected] of [
      [1_000, 2],
      [4_000, 3],
    ] as const) {
      clock.advance(after);
      await eventually("it is told again", async () => times() === expected);
    }
    await eventually("nothing to wait", async () => running.counts().waiting === 0);
    assert.equal(new Set(told("runtime.changed").map(({ id }) => id)).size, told("runtime.changed").length);
  });

  it("keeps what it could not tell, over its own end too", async (t) => {
    const { running, start, told, clock, home, queue } = await stage(t);
    await eventually("its start is told", async () => told("runtime.changed").length === 1);
    home.reach(false);
    await ask(running.port, review("late"));
    await ask(running.port, review("late"));
    await eventually("it fails", async () => running.counts().failed > 0);
    assert.ok(readdirSync(queue).length >= 1);
    await running.stop();
    home.reach(true);
    const again = await start();
    t.onTestFinished(() => again.stop());
    await eventually("it is told", async () => {
      clock.advance(1_000);
      return told("runtime.changed").some((one) => nameIn(one) === "late");
    });
    await eventually("nothing is left", async () => {
      clock.advance(1_000);
      return readdirSync(queue).length === 0;
    });
  });

  it("refuses what is no question, and older TLS", async (t) => {
    const lines: Parameters<typeof keptLog>[0] = [];
    const { running, told } = await stage(t, keptLog(lines));
    await eventually("its start is told", async () => told("runtime.changed").length === 1);
    const anything = (): number => told("runtime.changed").filter((one) => !nameIn(one)).length;
    const before = anything();
    assert.equal((await ask(running.port, "{")).status, 400);
    await eventually("the write that passed all the same is told of", async () => anything() > before);
    assert.equal((await ask(running.port, "{}")).status, 400);
    assert.equal((await ask(running.port, '{"token": hunter2}')).status, 400);
    const words = JSON.stringify(lines);
    assert.match(words, /no question of an API server/);
    assert.doesNotMatch(words, /hunter2/, "an object may hold what is secret");
    assert.equal((await ask(running.port, review(), { method: "PUT" })).status, 405);
    for (const path of ["/validate/a/b", "/validate/.."])
      assert.equal((await ask(running.port, review(), { path })).status, 404);
    const announced = { headers: { "content-length": 9_000_000, expect: "100-continue" } };
    assert.equal((await ask(running.port, undefined, announced)).status, 413, "by its length alone");
    // The rest of what is refused is not read, which whoever sends may notice before the answer.
    const long = await ask(running.port, `"${"x".repeat(8 * 1_048_576)}"`).then(
      ({ status }) => status,
      () => 413,
    );
    assert.equal(long, 413);
    await assert.rejects(ask(running.port, review(), { maxVersion: "TLSv1.2" }));
    assert.deepEqual([running.counts().waiting <= 1, told("runtime.changed").length >= 1], [true, true]);
    assert.match(metricsText(running.counts()), /^watcher_admission_request_total 5$/m);
  });

  it("bounds what questions that never end make it keep, and tells that it has not seen a change", async (t) => {
    const { running, told, clock } = await stage(t);
    const anything = (): number => told("runtime.changed").filter((one) => !nameIn(one)).length;
    await eventually("its start is told for the last time", async () => {
      clock.advance(1_000);
      return running.counts().waiting === 0;
    });
    const before = anything();
    const statuses: number[] = [];
    const begun = Array.from({ length: 6 }, () => {
      const asked = request(
        {
          port: running.port,
          host: "localhost",
          path: "/validate/lifecycle-manager",
          method: "POST",
          ca: authority.certificate,
          agent: false,
        },
        (response) => {
          statuses.push(response.statusCode ?? 0);
          response.resume();
        },
      );
      // A connection that is cut after its answer is as good as the answer.
      asked.on("error", () => undefined);
      asked.write(Buffer.alloc(3 * 1_048_576, " "));
      return asked;
    });
    t.onTestFinished(() => {
      for (const one of begun) one.destroy();
    });
    await eventually("one too many", async () => statuses.includes(503));
    assert.equal((await ask(running.port, review())).status, 200, "small questions are answered still");
    await eventually("the control plane is to look", async () => anything() > before);
    for (const one of begun) one.destroy();
    await eventually(
      "room again",
      async () => (await ask(running.port, review().padEnd(3_000_000))).status === 200,
    );
  });

  it("ends where it cannot tell its numbers: half of it would never be started anew", async (t) => {
    const taken = createServer();
    const free = createServer();
    for (const server of [taken, free]) {
      server.listen(0);
      await once(server, "listening");
    }
    t.onTestFinished(() => void taken.close());
    const portOf = (server: Server): number => (server.address() as AddressInfo).port;
    const port = portOf(free);
    free.close();
    await once(free, "close");
    const { files, queue } = await stage(t);
    const options = {
      files,
      controlPlane: "localhost:1",
      manager: "m",
      folder: `${queue}-other`,
      beat: 60_000,
    };
    await assert.rejects(runRuntimeWatcher({ ...options, port, metricsPort: portOf(taken) }), /EADDRINUSE/);
    const again = createServer().listen(port);
    await once(again, "listening");
    again.close();
  });

  it("counts under upstream's names", () => {
    const lines = metricsText({ asked: 7, delivered: 4, failed: 2, waiting: 1 }).split("\n");
    assert.deepEqual(
      lines.filter((line) => line !== "" && !line.startsWith("#")),
      [
        "watcher_admission_request_total 7",
        "watcher_kcp_requests_total 6",
        "watcher_failed_kcp_total 2",
        "watcher_waiting_objects 1",
      ],
    );
  });
});
