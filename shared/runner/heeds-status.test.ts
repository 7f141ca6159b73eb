import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { defineKind, each } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";

class Buoy extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Buoy",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ light: z.string().optional(), bell: z.string().optional() }),
  facts: (it) => ({
    generation: it.metadata.generation,
    deleting: it.metadata.deletionTimestamp,
    paused: it.metadata.annotations["reveille.dev/paused"],
    port: it.metadata.labels.port,
    light: it.status.light,
  }),
}) {}

const KEY = "c/unit.example.org/Buoy/a/one";
interface More {
  readonly uid?: string;
  readonly port?: string;
  readonly paused?: string;
  readonly color?: string;
  readonly status?: object;
}
const buoy = (
  resourceVersion: string,
  { uid = "u", port = "north", paused, color = "red", status }: More = {},
): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind: "Buoy",
  metadata: {
    name: "one",
    namespace: "a",
    uid,
    resourceVersion,
    generation: 1,
    labels: { port, color },
    annotations: paused === undefined ? {} : { "reveille.dev/paused": paused },
  },
  spec: { size: 1 },
  ...(status !== undefined && { status }),
});

/** A run whose first status meets a write of somebody else: how often it decided, and over which version it wrote. */
async function over(
  now: KubeObject | undefined,
  heeds: readonly ("port" | "object" | "status")[] | undefined,
) {
  const states: (KubeObject | undefined)[] = [buoy("7"), now];
  const wrote: (string | undefined)[] = [];
  let decided = 0;
  const client: Partial<KubeClient> = {
    get: async () => (states.length > 1 ? states.shift() : states[0]),
    apply: async (_, __, body) => {
      wrote.push(body.metadata.resourceVersion);
      if (wrote.length === 1)
        throw new KubeError("stale", "the object has been modified", { request: "of a test" });
      return { ...buoy("90"), ...body };
    },
  };
  const ring = each(Buoy, { status: ["light"], ...(heeds !== undefined && { heeds }) }).function({
    name: "ring",
    reconcile: () => {
      decided += 1;
      return { status: { light: "on" } };
    },
  });
  const { state } = await runnerOf(ring, client)(leaseOf(itemOf("ring", KEY)));
  assert.equal(state, "finished");
  return { decided, wrote };
}

describe("a status that meets a write of others", () => {
  it("is sent again, and not decided again, where nothing that its function heeds is another", async () => {
    const once = { decided: 1, wrote: ["7", "8"] };
    assert.deepEqual(await over(buoy("8", { color: "green", status: { bell: "rings" } }), ["port"]), once);
    assert.deepEqual(await over(buoy("8", { status: { bell: "rings" } }), ["object"]), once);
  });
  it("is decided again where something of it is", async () => {
    const anew = { decided: 2, wrote: ["7", "8"] };
    assert.deepEqual(await over(buoy("8", { port: "south" }), ["port"]), anew);
    assert.deepEqual(await over(buoy("8", { color: "green" }), ["object"]), anew);
    assert.deepEqual(await over(buoy("8", { uid: "another" }), ["port"]), anew);
    assert.deepEqual(await over(buoy("8", { status: { light: "off" } }), ["port"]), anew, "its own part");
    assert.deepEqual(await over(buoy("8", { status: { bell: "rings" } }), ["status"]), anew);
    assert.deepEqual(await over(buoy("8"), undefined), anew, "it heeds everything");
  });
  it("is not sent where the object is gone, or paused", async () => {
    assert.deepEqual(await over(undefined, ["port"]), { decided: 1, wrote: ["7"] });
    assert.deepEqual(await over(buoy("8", { paused: "true" }), ["port"]), { decided: 1, wrote: ["7"] });
  });
});
