import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { createAuthority } from "../../../../../shared/tls/index.ts";
import { sender } from "./sender.ts";

const authority = createAuthority();

/** A sender, and a control plane that answers so. */
async function begun(answer: (response: ServerResponse) => void, timeout?: number) {
  const folder = mkdtempSync(join(tmpdir(), "reveille-sender-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { certificate: cert, key } = authority.issue({ commonName: "home", serverNames: ["localhost"] });
  const server = createServer({ cert, key }, (_request, response) => answer(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const runtime = authority.issue({ commonName: "rt-1" });
  const files = {
    certificate: at("tls.crt", runtime.certificate),
    key: at("tls.key", runtime.key),
    authorities: at("ca.crt", authority.certificate),
  };
  const controlPlane = `localhost:${(server.address() as AddressInfo).port}`;
  const { send, close } = sender({ controlPlane, files }, timeout);
  onTestFinished(close);
  return { send, at };
}

it("waits for a whole answer only so long, however busy the connection is", async () => {
  const { send } = await begun((response) => {
    response.writeHead(202);
    const more = (): void => {
      if (!response.destroyed) response.write(" ", () => setImmediate(more));
    };
    more();
  }, 100);
  await assert.rejects(send("m", {}), /no whole answer within 100 ms/);
});

it("ends with an answer that is none", async () => {
  const { send } = await begun((response) => {
    response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
  });
  await assert.rejects(send("m", {}), /closed without a whole answer/);
});

it("says of its files what is wrong with them, and goes on as they are whole", async () => {
  const { send, at } = await begun((response) => response.writeHead(202).end());
  await send("m", {});
  const { certificate, key } = authority.issue({ commonName: "rt-1" });
  at("tls.crt", "");
  await assert.rejects(send("m", {}), /no certificate in PEM/);
  at("tls.crt", certificate);
  await assert.rejects(send("m", {}), /the key is of another certificate/);
  at("tls.key", key);
  await send("m", {});
});
