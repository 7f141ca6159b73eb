import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import type { KubeClient } from "../client.ts";
import { KubeError } from "../errors.ts";
import { createKubeClient, type KubeClientOptions } from "../http-client.ts";
import { type Connection, noCredentials } from "./connection.ts";

/** A request as it came: on which connection, and as how manieth in all. */
interface Asked {
  readonly connection: number;
  readonly text: string;
}
type Answers = (socket: Socket, request: Asked, count: number) => void;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server that says what it is told, byte for byte. */
async function serve(answers: Answers) {
  const asked: Asked[] = [];
  const sockets: Socket[] = [];
  const closed: number[] = [];
  const server = createServer((socket) => {
    const connection = sockets.push(socket);
    let rest = "";
    // A client that gives up resets the connection.
    socket.on("error", () => undefined);
    socket.on("close", () => closed.push(connection));
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      for (;;) {
        const head = rest.indexOf("\r\n\r\n");
        if (head < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(rest.slice(0, head))?.[1] ?? 0);
        if (rest.length < head + 4 + length) return;
        const request = { connection, text: rest.slice(0, head + 4 + length) };
        rest = rest.slice(head + 4 + length);
        answers(socket, request, asked.push(request));
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { url: `http://127.0.0.1:${address.port}`, asked, sockets, closed };
}

function connect(
  server: string,
  options: Partial<KubeClientOptions> = {},
  more: Partial<Connection> = {},
): KubeClient {
  const connection = { server, namespace: "team", tls: {}, credentials: noCredentials, headers: {}, ...more };
  const client = createKubeClient({ connection, ...options });
  ends.push(() => client.close());
  return client;
}

const ok = (text = "{}", more = ""): string =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
const ask = (client: KubeClient, signal?: AbortSignal): Promise<unknown> =>
  client.raw("GET", "/version", signal === undefined ? {} : { signal });
const write = (client: KubeClient): Promise<unknown> => client.raw("POST", "/apis", { body: { a: 1 } });
const connections = (asked: readonly Asked[]): number[] => asked.map(({ connection }) => connection);

async function failure(attempt: Promise<unknown>): Promise<KubeError> {
  const error = await attempt.then(
    () => assert.fail("the request succeeded"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof KubeError, `expected a KubeError, got ${error}`);
  return error;
}

test("one connection carries one request after another, with all that the server wants to know", async () => {
  const { url, asked } = await serve((socket) => socket.write(ok('{"é":1}')));
  const client = connect(
    `${url}/below`,
    {},
    {
      headers: { "Impersonate-User": "bob", "Impersonate-Group": ["a", "b"] },
      credentials: { current: () => ({ authorization: "Bearer t" }), refused: () => false },
    },
  );
  assert.deepEqual(await ask(client), { é: 1 });
  await client.raw("POST", "/apis", { body: { a: "é" } });
  await client.raw("DELETE", "/apis");
  assert.deepEqual(connections(asked), [1, 1, 1]);
  const host = url.slice("http://".length);
  const shared = `accept: application/json\r\nhost: ${host}\r\nuser-agent: reveille\r\nImpersonate-User: bob\r\nImpersonate-Group: a\r\nImpersonate-Group: b\r\nauthorization: Bearer t\r\n`;
  assert.deepEqual(
    asked.map(({ text }) => text),
    [
      `GET /below/version HTTP/1.1\r\n${shared}\r\n`,
      `POST /below/apis HTTP/1.1\r\n${shared}content-type: application/json\r\ncontent-length: 10\r\n\r\n${Buffer.from('{"a":"é"}').toString("latin1")}`,
      `DELETE /below/apis HTTP/1.1\r\n${shared}content-length: 0\r\n\r\n`,
    ],
  );
});

test("answers without a body, after interim ones or in chunks leave the connection usable", async () => {
  const plays = [
    "HTTP/1.1 204 No Content\r\n\r\n",
    `HTTP/1.1 100 Continue\r\n\r\n${ok("[1]")}`,
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n2\r\n2]\r\n0\r\n\r\n",
    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    ok("[3]"),
  ];
  const { url, asked } = await serve((socket, _, count) => socket.write(plays[count - 1] ?? ""));
  const client = connect(url);
  assert.equal(await ask(client), "");
  assert.deepEqual(await ask(client), [1]);
  assert.deepEqual(await ask(client), [2]);
  assert.equal((await failure(ask(client))).status?.code, 404);
  assert.deepEqual(await ask(client), [3]);
  assert.deepEqual(connections(asked), [1, 1, 1, 1, 1]);
});

test("a connection that the server ends with its answer is not asked again", async () => {
  const { url, asked, closed } = await serve((socket, _, count) => {
    if (count === 1) socket.write(ok("1", "Connection: close\r\n"));
    // No length at all: it ends where the connection ends.
    else if (count === 2) socket.end("HTTP/1.1 200 OK\r\n\r\n[2]");
    else socket.write(ok("[3]"));
  });
  const client = connect(url);
  for (const expected of ["1", [2], [3]]) assert.deepEqual(await ask(client), expected);
  assert.deepEqual(connections(asked), [1, 2, 3]);
  await eventually("the first two are closed", () => closed.includes(1) && closed.includes(2));
});

test("a connection that the server closes while it idles is never asked", async () => {
  const { url, asked, sockets, closed } = await serve((socket) => socket.write(ok()));
  const client = connect(url);
  await write(client);
  sockets[0]?.end();
  await eventually("the client closes its side", () => closed.includes(1));
  await write(client);
  assert.deepEqual(connections(asked), [1, 2]);
  assert.equal(client.requests.raw, 2);
});

test("a request that meets a dying connection is sent again where that does no harm, and once", async () => {
  const dies: Answers = (socket, _, count) => (count % 2 === 1 ? socket.write(ok()) : socket.destroy());
  const reading = await serve(dies);
  const reader = connect(reading.url);
  await ask(reader);
  await ask(reader);
  assert.deepEqual(connections(reading.asked), [1, 1, 2]);

  const writing = await serve(dies);
  const writer = connect(writing.url);
  await write(writer);
  assert.equal((await failure(write(writer))).kind, "unavailable");
  assert.deepEqual(connections(writing.asked), [1, 1], "nobody knows whether it was done");

  const dead = await serve((socket, _, count) => (count === 1 ? socket.write(ok()) : socket.destroy()));
  const client = connect(dead.url);
  await ask(client);
  assert.equal((await failure(ask(client))).kind, "unavailable");
  assert.deepEqual(connections(dead.asked), [1, 1, 2]);
});

test("a connection that dies in an answer costs the answer: the request was heard", async () => {
  for (const part of ["H", "HTTP/1.1 200 OK\r\nContent-Le", ok("{}").slice(0, -1)]) {
    const { url, asked } = await serve((socket, _, count) => {
      if (count === 1) socket.write(ok());
      else socket.end(part);
    });
    const client = connect(url);
    await ask(client);
    const error = await failure(ask(client));
    assert.deepEqual([error.kind, asked.length], ["unavailable", 2], part);
    assert.match(error.message, /broke/);
  }
});

test("what nobody asked for ends a connection, and is no answer to the next request", async () => {
  const { url, asked, sockets, closed } = await serve((socket, { connection }) => {
    socket.write(connection === 1 ? ok("[1]") : connection === 2 ? ok("[2]") + ok("[0]") : ok("[3]"));
  });
  const client = connect(url);
  assert.deepEqual(await ask(client), [1]);
  sockets[0]?.write(ok("[0]"));
  await eventually("the client closes it", () => closed.includes(1));
  assert.deepEqual(await ask(client), [2]);
  assert.deepEqual(await ask(client), [3]);
  assert.deepEqual(connections(asked), [1, 2, 3]);
});

test("an aborted request takes its connection along, wherever it stands", async () => {
  for (const part of ["", "HTTP/1.1 2", ok("[0]").slice(0, -1)]) {
    const { url, asked, closed } = await serve((socket, _, count) => {
      if (count === 1) socket.write(part);
      else socket.write(ok("[2]"));
    });
    const client = connect(url);
    const controller = new AbortController();
    const aborted = failure(ask(client, controller.signal));
    await eventually("it was asked", () => asked.length === 1);
    controller.abort();
    assert.equal((await aborted).kind, "aborted");
    assert.deepEqual(await ask(client), [2]);
    await eventually("its connection is closed", () => closed.includes(1));
    assert.deepEqual(connections(asked), [1, 2]);
  }
});

test("beyond the sockets requests wait in order, and one that is aborted there is never sent", async () => {
  const { url, asked, sockets } = await serve((socket, { text }, count) => {
    if (count > 1) socket.write(ok(JSON.stringify([text.split(" ")[1]])));
  });
  const client = connect(url, { maxSockets: 1 });
  const first = client.raw("GET", "/1");
  const controller = new AbortController();
  const second = failure(client.raw("GET", "/2", { signal: controller.signal }));
  const others = ["/3", "/4"].map((path) => client.raw("GET", path));
  await eventually("the first was asked", () => asked.length === 1);
  controller.abort();
  assert.equal((await second).kind, "aborted");
  sockets[0]?.write(ok('["/1"]', "Connection: close\r\n"));
  assert.deepEqual(await Promise.all([first, ...others]), [["/1"], ["/3"], ["/4"]]);
  assert.deepEqual(connections(asked), [1, 2, 2]);
});

test("a closed client fails what is under way and what waits", async () => {
  const { url, asked, closed } = await serve(() => undefined);
  const client = connect(url, { maxSockets: 1 });
  const failures = [failure(ask(client)), failure(ask(client))];
  await eventually("the first was asked", () => asked.length === 1);
  client.close();
  for (const error of await Promise.all(failures)) assert.equal(error.kind, "unavailable");
  await eventually("the connection is closed", () => closed.length === 1);
  assert.equal(asked.length, 1);
});

test("a connection rests no longer than the server keeps it", async () => {
  const clock = new ManualClock();
  const { url, asked, closed } = await serve((socket, { connection }) =>
    socket.write(ok("{}", connection === 1 ? "Keep-Alive: timeout=5\r\n" : "")),
  );
  const client = connect(url, { clock });
  await ask(client);
  clock.advance(3000);
  await ask(client);
  // Within the second before the server's own end it may be closing.
  clock.advance(4000);
  await ask(client);
  clock.advance(74_000);
  await ask(client);
  clock.advance(75_000);
  await ask(client);
  assert.deepEqual(connections(asked), [1, 1, 2, 2, 3]);
  await eventually("the old ones are closed", () => closed.length === 2);
});

test("a connection that carries nothing is closed after a while where that is asked for", async () => {
  const clock = new ManualClock();
  const { url, asked, closed } = await serve((socket, { text }) => {
    if (!text.startsWith("POST")) socket.write(ok());
    else setImmediate(() => socket.write(ok()));
  });
  const client = connect(url, { clock, idleMilliseconds: 10_000 });
  await Promise.all([write(client), ask(client)]);
  assert.deepEqual(connections(asked).toSorted(), [1, 2]);
  clock.advance(9_000);
  await ask(client);
  const [used = 0] = connections(asked).slice(2);
  clock.advance(1_000);
  await eventually("the other is closed", () => closed.includes(3 - used));
  await ask(client);
  assert.deepEqual(connections(asked).slice(2), [used, used]);
  clock.advance(10_000);
  await eventually("both are closed", () => closed.length === 2);
  assert.equal(clock.alarms, 0);
});

test("silence ends a request, and its late answer goes to nobody", async () => {
  const clock = new ManualClock();
  const { url, asked, sockets, closed } = await serve((socket, _, count) => {
    if (count > 1) socket.write(ok("[2]"));
  });
  const client = connect(url, { clock });
  const silent = failure(ask(client));
  await eventually("it was asked", () => asked.length === 1);
  clock.advance(30_000);
  assert.equal((await silent).code, "KUBE_TIMEOUT");
  sockets[0]?.write(ok("[0]"));
  assert.deepEqual(await ask(client), [2]);
  assert.deepEqual(connections(asked), [1, 2]);
  await eventually("its connection is closed", () => closed.includes(1));
});

test("a head that could smuggle a second request is not sent", async () => {
  const { url, asked } = await serve((socket) => socket.write(ok()));
  const bad = "Bearer x\r\nX-Evil: 1";
  const credentials = { current: () => ({ authorization: bad }), refused: () => false };
  await assert.rejects(ask(connect(url, {}, { credentials })), /Invalid character/);
  await assert.rejects(ask(connect(url, {}, { headers: { "Impersonate-User": bad } })), /Invalid character/);
  await assert.rejects(connect(url).raw("GET", "/a b\r\nHost: x"), /unescaped characters/);
  await assert.rejects(connect(url).raw("GET", "/", { accept: bad }), /Invalid character/);
  assert.deepEqual(asked, []);
});

test("an idle connection keeps no process alive", async () => {
  const { url } = await serve((socket) => socket.write(ok("[7]")));
  const source = `
    import { createKubeClient } from ${JSON.stringify(new URL("../http-client.ts", import.meta.url).href)};
    const connection = { server: "${url}", namespace: "team", tls: {}, headers: {}, credentials: { current: () => ({}), refused: () => false } };
    console.log(JSON.stringify(await createKubeClient({ connection }).raw("GET", "/")));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source]);
  ends.push(() => child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, "close");
  assert.deepEqual([code, said], [0, "[7]\n"]);
});
