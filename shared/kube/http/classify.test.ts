import assert from "node:assert/strict";
import { test } from "vitest";
import { refusal, retryAfterOf } from "./classify.ts";
import type { Answer } from "./transport.ts";

const answer = (status: number, text: string, headers: Answer["headers"] = {}): Answer =>
  ({ status, text, headers }) as Answer;

test("a webhook that does not answer counts under a name of its own, not as the server's absence", () => {
  const told = (text: string): string => refusal(answer(500, text), { name: "PATCH /apis" }).code;
  assert.equal(told('Internal error occurred: failed calling webhook "v.tenant": refused'), "KUBE_WEBHOOK");
  assert.equal(told("etcdserver: leader changed"), "KUBE_UNAVAILABLE");
});

test("a Retry-After of a day is one of five minutes", () => {
  assert.equal(retryAfterOf(answer(429, "", { "retry-after": "86400" })), 300_000);
  assert.equal(retryAfterOf(answer(429, "", { "retry-after": "7" })), 7_000);
  assert.equal(retryAfterOf(answer(429, "", { "retry-after": "soon" })), undefined);
});
