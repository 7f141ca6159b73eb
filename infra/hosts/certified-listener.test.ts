import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import type { CertifiedTrigger } from "../../shared/function/trigger.ts";
import { certifiedIngress, provenByConnection } from "../../shared/host/http/index.ts";
import { silent } from "../../shared/log/log.ts";
import { createAuthority, type Pair } from "../../shared/tls/index.ts";
import { manualClock } from "../testing/settling-clock.ts";
import { listenForCertified } from "./certified-listener.ts";

const knock: CertifiedTrigger = {
  name: "knock",
  path: "/:house/knock",
  proof: "certificate",
  maximumBody: 100,
  read: ({ commonName, path }) => {
    heard.push(`${commonName} at ${path.house}`);
    return { ignored: "nobody is at home" };
  },
};
let heard: string[] = [];

const send = (
  address: string,
  ca: string,
  pair: Pair | undefined,
  over: { readonly maxVersion?: "TLSv1.2"; readonly path?: string } = {},
): Promise<number | string> =>
  new Promise((resolve) => {
    const { path = "/mine/knock", ...tls } = over;
    const identity = pair && { cert: pair.certificate, key: pair.key };
    const options = { ca, ...identity, ...tls, method: "POST", agent: false };
    const sent = request(`https://${address}${path}`, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end("{}");
  });

/** A listener whose files can be written anew. */
async function begun(authorities: string, timeout = 5_000) {
  heard = [];
  const folder = mkdtempSync(join(tmpdir(), "reveille-certified-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const servers = createAuthority();
  const shown = servers.issue({ commonName: "serve", serverNames: ["127.0.0.1"] });
  const clock = manualClock(Date.now());
  const listener = await listenForCertified(
    certifiedIngress({
      triggers: [knock],
      bus: { ready: () => true, publish: async () => assert.fail("nothing is published") },
      clock,
      log: silent,
      prove: provenByConnection,
    }),
    {
      listen: { host: "127.0.0.1", port: 0 },
      certificate: at("tls.crt", shown.certificate),
      key: at("tls.key", shown.key),
      authorities: at("ca.crt", authorities),
    },
    { clock, log: silent, limits: { maximumConnections: 10, timeout } },
  );
  onTestFinished(() => listener.stop(0));
  assert.equal(listener.missing(), undefined);
  const as = (pair: Pair | undefined, over = {}): Promise<number | string> =>
    send(listener.address, servers.certificate, pair, over);
  return { address: listener.address, trusted: servers.certificate, at, clock, as };
}

it("asks for certificates, and takes new authorities as their file changes", async () => {
  const [first, second] = [createAuthority(), createAuthority()];
  const { at, clock, as } = await begun(first.certificate);
  const [old, young] = [first, second].map((one) => one.issue({ commonName: "alice" }));
  assert.equal(await as(old), 202);
  assert.equal(await as(undefined), 401);
  assert.equal(await as(young), 401);
  assert.equal(await as(first.issue({ commonName: "" })), 400);
  assert.equal(await as(first.issue({ commonName: "late", notAfter: Date.now() - 60_000 })), 401);
  assert.equal(await as(old, { path: "//knock" }), 202, "a house without a name");
  assert.notEqual(await as(old, { maxVersion: "TLSv1.2" }), 202);
  at("ca.crt", second.certificate + first.certificate);
  await clock.advance(10_000);
  assert.deepEqual([await as(old), await as(young)], [202, 202]);
  at("ca.crt", second.certificate);
  await clock.advance(10_000);
  assert.deepEqual([await as(old), await as(young)], [401, 202]);
  assert.notEqual(await as(old, { maxVersion: "TLSv1.2" }), 202);
  assert.deepEqual(heard, ["alice at mine", "alice at ", ...Array(3).fill("alice at mine")]);
});

it("goes on with what it shows and trusts while a file is being written", async () => {
  const first = createAuthority();
  const { at, clock, as } = await begun(first.certificate);
  const alice = first.issue({ commonName: "alice" });
  for (const [name, text] of [
    ["ca.crt", ""],
    ["ca.crt", first.certificate.slice(0, 100)],
    ["tls.crt", ""],
    ["tls.key", alice.key],
  ] as const) {
    at(name, text);
    await clock.advance(10_000);
    assert.equal(await as(alice), 202, `${name} ${text.length}`);
  }
});

it("takes one request by each connection: the trust in its certificate may end before the next", async () => {
  const first = createAuthority();
  const { address, trusted: ca } = await begun(first.certificate);
  const { certificate: cert, key } = first.issue({ commonName: "alice" });
  const agent = new Agent({ keepAlive: true, ca, cert, key });
  onTestFinished(() => agent.destroy());
  const sent = request(`https://${address}/mine/knock`, { method: "POST", agent });
  sent.end("{}");
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  assert.deepEqual([response.statusCode, response.headers.connection], [202, "close"]);
  await once(response.socket, "close");
});

it("gives no place for long to who connects and says nothing", async () => {
  const { address } = await begun(createAuthority().certificate, 200);
  const [host, port] = address.split(":");
  const socket = connect(Number(port), host);
  await once(socket.resume(), "close");
});
