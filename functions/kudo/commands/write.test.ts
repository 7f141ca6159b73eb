import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { Instance } from "../kinds/index.ts";
import { patchSpec } from "./write.ts";

const instance = (resourceVersion: number, spec: object, uid = "u"): KubeObject => ({
  apiVersion: "kudo.dev/v1beta1",
  kind: "Instance",
  metadata: { name: "db", namespace: "shop", uid, resourceVersion: String(resourceVersion) },
  spec: { operatorVersion: { name: "db-1" }, parameters: { SIZE: "1" }, ...spec },
});

/** Patches what was read in its first state, on a server that has it in the last one. */
async function patchedAmong(states: readonly KubeObject[], spec: object) {
  let at = 0;
  const sent: string[] = [];
  const client: Partial<KubeClient> = {
    get: async () => states[Math.min(at, states.length - 1)],
    patch: async (_, __, ___, body) => {
      const { metadata } = body as unknown as KubeObject;
      sent.push(metadata.resourceVersion ?? "");
      const live = states.at(-1) ?? assert.fail();
      if (metadata.resourceVersion === live.metadata.resourceVersion) return live;
      at += 1;
      throw new KubeError("stale", "moved on", { request: "patch" });
    },
  };
  const read = parseObject(Instance, states[0] ?? assert.fail());
  const ended = await patchSpec(client as KubeClient, read, { ...spec }).then(
    () => "written",
    (thrown: { readonly code: string }) => thrown.code,
  );
  return { ended, sent };
}
const running = { planExecution: { planName: "deploy", uid: "a", status: "IN_PROGRESS" } };
const parameters = { parameters: { SIZE: "2" } };

describe("a write of a command", () => {
  it("is tried again over what the run of the Instance wrote meanwhile", async () => {
    const states = [instance(1, running), instance(2, running), instance(3, {})];
    assert.deepEqual(await patchedAmong(states, parameters), { ended: "written", sent: ["1", "2", "3"] });
  });

  it.each<[what: string, last: KubeObject, spec: object]>([
    ["asked for something else", instance(2, { parameters: { SIZE: "3" } }), parameters],
    ["moved it to another version", instance(2, { operatorVersion: { name: "db-2" } }), parameters],
    [
      "asked for a plan, where it asks for one itself",
      instance(2, running),
      { planExecution: { planName: "" } },
    ],
    ["made it anew", instance(2, {}, "another"), parameters],
  ])("is refused where somebody %s", async (_, last, spec) =>
    assert.deepEqual(await patchedAmong([instance(1, {}), last], spec), {
      ended: "CLI_KUDO_CHANGED",
      sent: ["1"],
    }),
  );

  it("is given up where the Instance never rests", async () => {
    const states = Array.from({ length: 9 }, (_, at) => instance(at, {}));
    const { ended, sent } = await patchedAmong(states, parameters);
    assert.deepEqual([ended, sent.length], ["CLI_KUDO_CHANGED", 5]);
  });
});
