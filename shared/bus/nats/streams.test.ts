import assert from "node:assert/strict";
import { JetStreamApiError, type JetStreamManager } from "@nats-io/jetstream";
import { TimeoutError } from "@nats-io/transport-node";
import { test } from "vitest";
import { BusError } from "../errors.ts";
import { Names } from "./names.ts";
import { natsOptions } from "./options.ts";
import { ensureStreams } from "./streams.ts";

const missing = new JetStreamApiError({ code: 404, err_code: 10059, description: "stream not found" });

/** What it ends with where a stream is asked for, or made, with these answers. */
async function endsWith(answers: { readonly info: Error; readonly add?: Error }): Promise<string> {
  const streams = {
    info: async () => {
      throw answers.info;
    },
    add: async () => {
      throw answers.add ?? answers.info;
    },
  };
  const manager = { streams } as unknown as JetStreamManager;
  try {
    await ensureStreams(manager, new Names("reveille"), natsOptions.parse({}), 0);
  } catch (thrown) {
    assert.ok(thrown instanceof BusError);
    return thrown.code;
  }
  return "nothing";
}

test("servers that are away are waited for; what somebody has to change is not", async () => {
  const api = (code: number, err_code: number, description: string): Error =>
    new JetStreamApiError({ code, err_code, description });
  const table: readonly [{ readonly info: Error; readonly add?: Error }, string][] = [
    [{ info: new TimeoutError() }, "BUS_UNREACHABLE"],
    [{ info: api(503, 10008, "JetStream system temporarily unavailable") }, "BUS_UNREACHABLE"],
    [
      { info: missing, add: api(400, 10005, "no suitable peers for placement, peer offline") },
      "BUS_UNREACHABLE",
    ],
    [{ info: missing, add: new TimeoutError() }, "BUS_UNREACHABLE"],
    [{ info: api(503, 10039, "JetStream not enabled for account") }, "BUS_MISCONFIGURED"],
    [
      { info: missing, add: api(500, 10074, "replicas > 1 not supported in non-clustered mode") },
      "BUS_MISCONFIGURED",
    ],
  ];
  for (const [answers, code] of table) assert.equal(await endsWith(answers), code);
});
