import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
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

it("asks for certificates, and takes new authorities as their file changes", async () => {
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
  const [first, second] = [createAuthority(), createAuthority()];
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
      authorities: at("ca.crt", first.certificate),
    },
    { clock, log: silent, limits: { maximumConnections: 10, timeout: 5_000 } },
  );
  onTestFinished(() => listener.stop(0));
  assert.equal(listener.missing(), undefined);
  const as = (pair: Pair | undefined, over = {}): Promise<number | string> =>
    send(listener.address, servers.certificate, pair, over);
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
