import assert from "node:assert/strict";
import { constants } from "node:crypto";
import { once } from "node:events";
import { createServer as createProxy, type IncomingMessage } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { createServer as createListener, connect as dial, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { createAuthority, type Pair } from "../../tls/index.ts";
import type { KubeClient } from "../client.ts";
import { KubeError } from "../errors.ts";
import { createKubeClient, type KubeClientOptions } from "../http-client.ts";
import { type Connection, type Credential, noCredentials } from "./connection.ts";

const authority = createAuthority();
const stop: (() => void)[] = [];
afterAll(() => {
  for (const each of stop) each();
});

/** A server that answers with who the client says it is, and over how many connections it was asked. */
async function serve(
  pair: Pair,
  options: ServerOptions = {},
  before: (request: IncomingMessage) => unknown = () => undefined,
): Promise<string> {
  let connections = 0;
  const server = createServer(
    {
      cert: pair.certificate,
      key: pair.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
      ...options,
    },
    async (request, response) => {
      await before(request);
      const peer = (request.socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify({ user: peer.subject?.CN, connections, headers: request.headers }));
    },
  );
  server.on("secureConnection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stop.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return `https://127.0.0.1:${address.port}`;
}

function connect(
  server: string,
  more: Partial<Connection>,
  options: Partial<KubeClientOptions> = {},
): KubeClient {
  const client = createKubeClient({
    ...options,
    connection: {
      server,
      namespace: "default",
      tls: { ca: authority.certificate },
      credentials: noCredentials,
      headers: {},
      ...more,
    },
  });
  stop.push(() => client.close());
  return client;
}
const ask = async (client: KubeClient) =>
  (await client.raw("GET", "/version")) as {
    readonly user?: string;
    readonly connections: number;
    readonly headers: Record<string, string>;
  };

const loopback = authority.issue({ commonName: "api", serverNames: ["127.0.0.1"] });
const { certificate, key } = authority.issue({ commonName: "ada" });

test("connections are kept, and a client certificate says who asks", async () => {
  const server = await serve(loopback);
  const client = connect(server, {
    tls: { ca: authority.certificate, certificate, key },
    headers: { "Impersonate-User": "bob" },
  });
  await ask(client);
  const { user, connections, headers } = await ask(client);
  assert.deepEqual([user, connections, headers["impersonate-user"]], ["ada", 1, "bob"]);
});

test("a certificate that comes with the credential replaces the connection's when it changes", async () => {
  const server = await serve(loopback);
  let credential: Credential = { certificate, key };
  const client = connect(server, { credentials: { current: async () => credential, refused: () => false } });
  assert.equal((await ask(client)).user, "ada");
  credential = authority.issue({ commonName: "eve" });
  const seen = await ask(client);
  assert.deepEqual([seen.user, seen.connections], ["eve", 2]);
});

test("an untrusted, expired or foreign server is not talked to, and the sentence says why", async () => {
  const named = await serve(authority.issue({ commonName: "api", serverNames: ["inner.example"] }));
  const expired = await serve(
    authority.issue({
      commonName: "api",
      serverNames: ["127.0.0.1"],
      notBefore: Date.parse("2020-01-01"),
      notAfter: Date.parse("2021-01-01"),
    }),
  );
  const good = await serve(loopback);
  const tls = { ca: authority.certificate };
  const table: readonly [string, Connection["tls"], string, RegExp][] = [
    [good, { ca: createAuthority().certificate }, "KUBE_UNTRUSTED_SERVER", /certificate-authority-data/],
    [good, {}, "KUBE_UNTRUSTED_SERVER", /not signed by the authority/],
    [expired, tls, "KUBE_SERVER_CERTIFICATE_EXPIRED", /renew it/],
    [named, tls, "KUBE_WRONG_SERVER_NAME", /set tls-server-name/],
    [good.replace("https:", "http:"), {}, "KUBE_UNAVAILABLE", /broke/],
  ];
  for (const [server, settings, code, message] of table) {
    await assert.rejects(ask(connect(server, { tls: settings })), (error: unknown) => {
      assert.ok(error instanceof KubeError);
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.equal(error.kind, "unavailable");
      return true;
    });
  }
  assert.equal((await ask(connect(named, { tls: { ...tls, serverName: "inner.example" } }))).connections, 1);
  assert.ok((await ask(connect(expired, { tls: { insecure: true } }))).connections >= 1);
});

test("a server that is not believed hears neither request nor token", async () => {
  const heard: string[] = [];
  const server = await serve(loopback, {}, (request) => heard.push(String(request.headers.authorization)));
  const credentials = { current: () => ({ authorization: "Bearer t" }), refused: () => false };
  const wrong = connect(server, { tls: { ca: createAuthority().certificate }, credentials });
  await assert.rejects(ask(wrong), KubeError);
  await ask(connect(server, { credentials }));
  assert.deepEqual(heard, ["Bearer t"]);
});

test("what is under way with a certificate ends with it, though another is in use already", async () => {
  const held = Promise.withResolvers<void>();
  const server = await serve(loopback, {}, (request) => (request.url === "/held" ? held.promise : undefined));
  let credential: Credential = { certificate, key };
  const client = connect(server, { credentials: { current: () => credential, refused: () => false } });
  const before = client.raw("GET", "/held") as ReturnType<typeof ask>;
  credential = authority.issue({ commonName: "eve" });
  assert.equal((await ask(client)).user, "eve");
  held.resolve();
  assert.equal((await before).user, "ada");
  // Its connection is not asked again.
  const { user, connections } = await ask(client);
  assert.deepEqual([user, connections], ["eve", 2]);
});

test("a handshake that nobody answers can be given up", async () => {
  const heard: number[] = [];
  const closed: number[] = [];
  const listener = createListener((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => heard.push(chunk.length));
    socket.on("close", () => closed.push(1));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  stop.push(() => listener.close());
  const address = listener.address();
  assert.ok(address !== null && typeof address === "object");
  const controller = new AbortController();
  const asked = connect(`https://127.0.0.1:${address.port}`, {}).raw("GET", "/", {
    signal: controller.signal,
  });
  const refused = assert.rejects(
    asked,
    (error: unknown) => error instanceof KubeError && error.kind === "aborted",
  );
  await eventually("the handshake began", () => heard.length > 0);
  controller.abort();
  await refused;
  await eventually("the connection is closed", () => closed.length === 1);
});

test("a server that insists on a certificate refuses without one", async () => {
  const server = await serve(loopback, { rejectUnauthorized: true });
  await assert.rejects(ask(connect(server, {})), KubeError);
  assert.equal(
    (await ask(connect(server, { tls: { ca: authority.certificate, certificate, key } }))).user,
    "ada",
  );
});

test("a proxy is asked to CONNECT, and sees nothing of the request", async () => {
  const server = await serve(loopback);
  const asked: (string | undefined)[] = [];
  const proxy = createProxy((request) => assert.fail(`the proxy saw ${request.url}`));
  proxy.on("connect", (request, socket, head) => {
    asked.push(`${request.method} ${request.url}`);
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const upstream = dial(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    // Whichever side ends first takes the other along.
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  stop.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  assert.ok(address !== null && typeof address === "object");
  const client = connect(server, {
    proxyUrl: `http://127.0.0.1:${address.port}`,
    tls: { ca: authority.certificate, certificate, key },
  });
  assert.equal((await ask(client)).user, "ada");
  assert.equal((await ask(client)).connections, 1);
  assert.deepEqual(asked, [`CONNECT ${new URL(server).host}`]);
});

test("one handshake comes before all others, which take its session up, and a list needs no connection of its own", async () => {
  const greeted: boolean[] = [];
  const { certificate: cert, key } = authority.issue({ commonName: "server", serverNames: ["127.0.0.1"] });
  const server = createServer(
    { cert, key },
    (_, response) => void setImmediate(() => response.end(JSON.stringify({ items: [], metadata: {} }))),
  );
  server.on("secureConnection", (socket: TLSSocket) => void greeted.push(socket.isSessionReused()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stop.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const client = connect(`https://127.0.0.1:${address.port}`, {});
  await Promise.all(Array.from({ length: 6 }, () => client.raw("GET", "/version")));
  const [first, ...others] = greeted;
  assert.equal(first, false);
  assert.ok(others.length > 0 && others.length < 6 && others.every(Boolean), `${greeted}`);
  const before = greeted.length;
  const pods = { group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" } as const;
  assert.deepEqual((await client.list(pods)).items, []);
  assert.equal(greeted.length, before);
});

test("whatever waits when a server dies hears of it, also while another connection greets", async () => {
  const { certificate: cert, key } = authority.issue({ commonName: "server", serverNames: ["127.0.0.1"] });
  const sockets: Socket[] = [];
  let asked = 0;
  const server = createServer({ cert, key }, (_, response) => {
    asked++;
    if (asked <= 6) response.end("{}");
  });
  server.on("connection", (socket: Socket) => void sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stop.push(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const client = connect(`https://127.0.0.1:${address.port}`, {});
  await Promise.all(Array.from({ length: 6 }, () => client.raw("GET", "/version")));
  const many = Array.from({ length: 100 }, () =>
    client.raw("GET", "/version").then(
      () => "answered",
      () => "failed",
    ),
  );
  await eventually("some are on their way", () => asked > 6 + 6);
  server.close();
  for (const socket of sockets) socket.destroy();
  assert.deepEqual(new Set(await Promise.all(many)), new Set(["failed"]));
});

test("others do not wait for a greeting that nobody answers", async () => {
  const server = new URL(await serve(loopback));
  // One of two servers behind an address is dead: it takes connections, and says nothing.
  let taken = 0;
  const before = createListener((socket) => {
    taken++;
    socket.on("error", () => undefined);
    if (taken === 1) return;
    const behind = dial({ host: "127.0.0.1", port: Number(server.port) });
    behind.on("error", () => undefined);
    socket.pipe(behind).pipe(socket);
  });
  before.listen(0, "127.0.0.1");
  await once(before, "listening");
  stop.push(() => before.close());
  const address = before.address();
  assert.ok(address !== null && typeof address === "object");
  const clock = new ManualClock();
  const client = connect(`https://127.0.0.1:${address.port}`, {}, { clock });
  const abort = new AbortController();
  const first = client.raw("GET", "/version", { signal: abort.signal }).catch(() => "aborted");
  await eventually("one of them greets", () => taken === 1);
  const others = [ask(client), ask(client)];
  clock.advance(500);
  assert.equal((await Promise.all(others)).length, 2);
  abort.abort();
  assert.equal(await first, "aborted");
});

test("a server that hands out no sessions is asked over many connections at once all the same", async () => {
  let asked = 0;
  const waiting: (() => void)[] = [];
  const server = await serve(
    loopback,
    { maxVersion: "TLSv1.2", secureOptions: constants.SSL_OP_NO_TICKET, sessionIdContext: "none" },
    async () => {
      asked++;
      if (asked > 1) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
  );
  const client = connect(server, {});
  const answers = Array.from({ length: 5 }, () => ask(client));
  await eventually("all are asked at once", () => asked === 5);
  for (const go of waiting) go();
  assert.equal((await Promise.all(answers)).length, 5);
});
