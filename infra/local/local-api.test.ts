import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "vitest";
import { Api } from "../../test/api-conformance/target.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { type LocalApi, type LocalApiOptions, startLocalApi } from "./index.ts";

async function start(t: TestContext, options: LocalApiOptions = {}): Promise<{ server: LocalApi; api: Api }> {
  const server = await startLocalApi(options);
  const { token, ca } = server.clientOptions;
  const api = new Api({ url: server.url, token, ca });
  t.onTestFinished(async () => {
    api.close();
    await server.close();
  });
  return { server, api };
}
const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string): object => ({ metadata: { name } });

test("who has no token is turned away", async (t) => {
  const { server } = await start(t);
  const stranger = new Api({ url: server.url, token: "wrong", ca: server.clientOptions.ca });
  t.onTestFinished(() => stranger.close());
  const { code, body } = await stranger.get(configMaps);
  assert.deepEqual([code, body.reason, body.message], [401, "Unauthorized", "Unauthorized"]);
});

test("a second start in the same folder is the same server: objects, authority, token, and watches that resume", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "local-api-"));
  t.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const first = await startLocalApi({ directory });
  const api = new Api({ ...first.clientOptions, url: first.url });
  const made = await api.post(configMaps, configMap("a"));
  await api.post(configMaps, configMap("b"));
  api.close();
  await first.close();
  for (const file of ["ca.key", "token"]) assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600);

  const second = await startLocalApi({ directory });
  t.onTestFinished(() => second.close());
  // The old token and the old authority, on purpose.
  const again = new Api({ ...first.clientOptions, url: second.url });
  t.onTestFinished(() => again.close());
  assert.deepEqual((await again.get(`${configMaps}/a`)).body, made.body);
  const lines = await again.watch(
    `${configMaps}?watch=1&resourceVersion=${made.body.metadata.resourceVersion}&timeoutSeconds=10`,
    (all) => all.length === 1,
  );
  assert.deepEqual(
    lines.map((line) => `${line.type} ${line.object.metadata.name}`),
    ["ADDED b"],
  );
});

test("ends although a client has only connected and says nothing", async (t) => {
  const server = await startLocalApi();
  const api = new Api({ ...server.clientOptions, url: server.url });
  t.onTestFinished(() => api.close());
  const port = Number(new URL(server.url).port);
  const mute = connect(port, "127.0.0.1");
  t.onTestFinished(() => void mute.destroy());
  await once(mute, "connect");
  // Connections are taken in their order: the mute one was, when a later one is answered.
  assert.equal((await api.get(configMaps)).code, 200);
  const gone = once(mute, "close");
  await server.close();
  await gone;
});

test("bookmarks every minute, and shortly before the end", async (t) => {
  const clock = new ManualClock();
  const { api } = await start(t, { clock });
  const now = (await api.get(configMaps)).body.metadata.resourceVersion;
  const lines = api.watch(
    `${configMaps}?watch=1&resourceVersion=${now}&allowWatchBookmarks=true&timeoutSeconds=90`,
  );
  await clock.armed(90_000);
  clock.advance(91_000);
  assert.deepEqual(
    (await lines).map((line) => line.type),
    ["BOOKMARK", "BOOKMARK"],
  );
});

test("what is left out says so and points to the real one", async (t) => {
  const { api } = await start(t);
  const { code, body } = await api.post("/api/v1/namespaces/default/pods/p/exec", {});
  assert.equal(code, 501);
  assert.match(body.message, /does not offer pods\/exec: start with --real/);
});

test("a taken port is named", async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  t.onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await assert.rejects(startLocalApi({ port }), {
    code: "LOCAL_API_LISTEN",
    message: new RegExp(`port ${port} is taken`),
  });
});

test("a pod on a node is given its time, and goes with a grace of 0", async (t) => {
  const { api } = await start(t);
  const pods = "/api/v1/namespaces/default/pods";
  await api.post(pods, {
    metadata: { name: "p" },
    spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
  });
  const deleted = await api.delete(`${pods}/p`);
  assert.equal(deleted.body.metadata.deletionGracePeriodSeconds, 30);
  assert.equal((await api.get(`${pods}/p`)).code, 200);
  await api.delete(`${pods}/p`, { gracePeriodSeconds: 0 });
  assert.equal((await api.get(`${pods}/p`)).code, 404);
});

test("another user by token, and impersonation", async (t) => {
  const { server } = await start(t, { users: [{ token: "t", username: "bob", groups: [] }] });
  const bob = new Api({ url: server.url, token: "t", ca: server.clientOptions.ca });
  t.onTestFinished(() => bob.close());
  assert.equal((await bob.get(configMaps)).code, 200);
});
