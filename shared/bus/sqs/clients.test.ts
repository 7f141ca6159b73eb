import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { test, vi } from "vitest";
import { tableClient } from "./clients.ts";

test("a table that takes a request and says nothing is away, and does not hang its caller", async (t) => {
  const settings = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test", AWS_MAX_ATTEMPTS: "1" };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const server = createServer(() => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = tableClient({ region: "eu-central-1", tableEndpoint: `http://127.0.0.1:${port}` });
  t.onTestFinished(() => {
    vi.unstubAllEnvs();
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  await assert.rejects(client.send(new DescribeTableCommand({ TableName: "reveille" })), {
    name: "TimeoutError",
  });
});
