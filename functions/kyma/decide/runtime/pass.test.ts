import assert from "node:assert/strict";
import { test } from "vitest";
import type { ClusterState } from "../../../../shared/function/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Kyma, RuntimeKyma } from "../../kinds/index.ts";
import { runtimePass } from "./index.ts";

const kyma = (metadata: { readonly name: string; readonly namespace?: string }, spec: object) => ({
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind: "Kyma",
  metadata: { namespace: "kcp-system", uid: "u", resourceVersion: "1", ...metadata },
  spec,
});
const self = parseObject(Kyma, kyma({ name: "rt-1" }, { channel: "regular" }));
const there: ClusterState = {
  ...{ state: "reachable", cluster: "rt-1", reason: "" },
  wait: { for: "rt-1 to answer" },
};

test.each([
  ["is kept at home", "a", 40_000, /user-spec/],
  ["is told to be too long", "a", 110_000, /UserSpecTooLong/],
  ["is told to be too long by its bytes, not its letters", "ä", 60_000, /UserSpecTooLong/],
] as const)("what a user wants %s", (_, letter, times, expected) => {
  const spec = { channel: "regular", modules: [{ name: letter.repeat(times) }] };
  const wanted = parseObject(RuntimeKyma, kyma({ name: "default", namespace: "kyma-system" }, spec), "rt-1");
  const world = { step: "there", there, definitions: [], kyma: wanted, policies: [] } as const;
  const { effects } = runtimePass(
    self,
    { ...world, pullSecret: undefined },
    undefined,
    "2026-02-03T10:00:00Z",
  );
  const text = JSON.stringify(effects);
  assert.match(text, expected);
  assert.equal(text.includes("user-spec"), !text.includes("UserSpecTooLong"));
});
