import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { silent } from "../../shared/log/log.ts";
import { createAuthority } from "../../shared/tls/index.ts";
import { manualClock } from "../testing/settling-clock.ts";
import { listenForAdmissions } from "./admission-listener.ts";

const ask = (address: string, ca: string): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request(`https://${address}/`, { ca, method: "POST", agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end("{}");
  });

it("waits for its certificate, and shows another once it is there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-admission-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { certificate: join(folder, "tls.crt"), key: join(folder, "tls.key") };
  const write = (): string => {
    const authority = createAuthority();
    const pair = authority.issue({ commonName: "serve", serverNames: ["127.0.0.1"] });
    writeFileSync(files.certificate, pair.certificate);
    writeFileSync(files.key, pair.key);
    return authority.certificate;
  };
  const clock = manualClock(0);
  const listener = await listenForAdmissions(
    async () => new Response("ok"),
    { listen: { host: "127.0.0.1", port: 0 }, ...files },
    { clock, log: silent },
  );
  onTestFinished(() => listener.stop(0));
  assert.match(listener.missing() ?? "", /tls\.crt/);
  const first = write();
  assert.notEqual(await ask(listener.address, first), 200);
  await clock.advance(10_000);
  assert.equal(listener.missing(), undefined);
  assert.equal(await ask(listener.address, first), 200);
  const second = write();
  await clock.advance(10_000);
  assert.equal(await ask(listener.address, second), 200);
  assert.equal(await ask(listener.address, first), "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
  rmSync(files.certificate);
  await clock.advance(10_000);
  assert.equal(await ask(listener.address, second), 200);
});

it("waits neither for a handshake nor for a question for as long as somebody likes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-admission-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const authority = createAuthority();
  const pair = authority.issue({ commonName: "serve", serverNames: ["127.0.0.1"] });
  const files = { certificate: join(folder, "tls.crt"), key: join(folder, "tls.key") };
  writeFileSync(files.certificate, pair.certificate);
  writeFileSync(files.key, pair.key);
  const listener = await listenForAdmissions(
    async (asked) => new Response(await asked.text()),
    { listen: { host: "127.0.0.1", port: 0 }, ...files },
    { clock: manualClock(0), log: silent, longest: 200 },
  );
  onTestFinished(() => listener.stop(0));
  const [host, port] = listener.address.split(":");
  const mute = connect(Number(port), host).resume();
  const slow = request(`https://${listener.address}/`, {
    ca: authority.certificate,
    method: "POST",
    agent: false,
    headers: { "content-length": 10 },
  });
  slow.write("{");
  const [response] = (await once(slow, "response")) as [{ statusCode: number }];
  assert.equal(response.statusCode, 408);
  slow.destroy();
  if (!mute.closed) await once(mute, "close");
});
