import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "vitest";
import { createAuthority } from "../../../shared/tls/index.ts";
import { Caller } from "./call.ts";
import type { Hook } from "./hooks.ts";

test("a webhook that closed a kept connection is asked anew, one that closes a new one is not", async (t) => {
  const authority = createAuthority();
  const { certificate, key } = authority.issue({ commonName: "hooks", serverNames: ["127.0.0.1"] });
  const sockets = new Set<unknown>();
  let closesAll = false;
  const server = createServer({ cert: certificate, key }, (request, response) => {
    // The question over a connection that was used before meets its end.
    if (closesAll || sockets.has(request.socket)) return void request.socket.destroy();
    sockets.add(request.socket);
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      const { uid } = (JSON.parse(text) as { readonly request: { readonly uid: string } }).request;
      response.end(
        JSON.stringify({
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid, allowed: true },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const caller = new Caller();
  t.onTestFinished(() => {
    caller.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const hook = {
    name: "hooks.example.org",
    timeoutSeconds: 10,
    clientConfig: {
      url: `https://127.0.0.1:${port}/`,
      caBundle: Buffer.from(authority.certificate).toString("base64"),
    },
  } as Hook;
  for (const uid of ["first", "second", "third"])
    assert.equal((await caller.ask(hook, { uid })).allowed, true, uid);
  assert.equal(sockets.size, 3);
  closesAll = true;
  await assert.rejects(caller.ask(hook, { uid: "fourth" }), { code: "LOCAL_API_WEBHOOK" });
});
