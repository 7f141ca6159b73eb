import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { peerOf } from "../../shared/host/http/caller.ts";
import { silent } from "../../shared/log/log.ts";
import { createAuthority, type Pair } from "../../shared/tls/index.ts";
import { manualClock } from "../testing/settling-clock.ts";
import { listenForRequests } from "./request-listener.ts";

/** The status of an answer, or the code of the error. */
const ask = (address: string, ca: string, caller?: Pair): Promise<number | string> =>
  new Promise((resolve) => {
    const shown = caller && { cert: caller.certificate, key: caller.key };
    const sent = request(`https://${address}/`, { ca, agent: false, ...shown }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });

it("shows callers a renewed certificate, and trusts a renewed authority of theirs, without a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-serve-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string): string => join(folder, name);
  const renew = () => {
    const authority = createAuthority();
    const { certificate, key } = authority.issue({ commonName: "serve", serverNames: ["127.0.0.1"] });
    writeFileSync(file("tls.crt"), certificate);
    writeFileSync(file("tls.key"), key);
    writeFileSync(file("ca.crt"), authority.certificate);
    return { ca: authority.certificate, caller: authority.issue({ commonName: "alice" }) };
  };
  const clock = manualClock(0);
  const first = renew();
  const listener = await listenForRequests(
    async (asked) => new Response(undefined, { status: peerOf(asked)?.certificate === "alice" ? 200 : 401 }),
    {
      listen: { host: "127.0.0.1", port: 0 },
      tls: { certificate: file("tls.crt"), key: file("tls.key"), clientAuthority: file("ca.crt") },
      timeout: 10_000,
      maximumConnections: 10,
    },
    { clock, log: silent },
  );
  onTestFinished(() => listener.stop(0));
  assert.equal(listener.missing(), undefined);
  assert.equal(await ask(listener.address, first.ca, first.caller), 200);
  const second = renew();
  await clock.advance(10_000);
  assert.equal(await ask(listener.address, second.ca, second.caller), 200);
  assert.equal(await ask(listener.address, second.ca, first.caller), 401);
  assert.equal(await ask(listener.address, first.ca), "SELF_SIGNED_CERT_IN_CHAIN");
});
