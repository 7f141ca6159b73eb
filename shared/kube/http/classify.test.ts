import assert from "node:assert/strict";
import { test } from "vitest";
import { refusal, retryAfterOf } from "./classify.ts";
import type { Answer } from "./wire.ts";

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

/** As a server refuses an object, with the faults in the order in which it found them. */
const unfit = (causes: readonly (readonly [string, string])[]) => {
  const faults = causes.map(([field, message]) => `${field}: ${message}`).join(", ");
  const status = {
    kind: "Status",
    reason: "Invalid",
    message: `Service "shop" is invalid: ${causes.length > 1 ? `[${faults}]` : faults}`,
    details: {
      causes: causes.map(([field, message]) => ({ reason: "FieldValueInvalid", field, message })),
    },
  };
  return refusal(answer(422, JSON.stringify(status)), { name: "PATCH /api/v1/namespaces/a/services/shop" });
};
const NAME = ["metadata.name", 'Invalid value: "Shop"'] as const;
const LABEL = ["metadata.labels", "Invalid value: must be no more than 63 bytes"] as const;
const PORT = ["spec.ports[0].port", "Invalid value: 0"] as const;

test("a refused write reads the same however the server orders what it found, so no status is stored anew", () => {
  const sentence =
    'Service "shop" is invalid: [metadata.labels: Invalid value: must be no more than 63 bytes, metadata.name: Invalid value: "Shop", spec.ports[0].port: Invalid value: 0]';
  for (const order of [
    [NAME, LABEL, PORT],
    [PORT, NAME, LABEL],
    [LABEL, PORT, NAME],
    [NAME, PORT, NAME, LABEL],
  ]) {
    const error = unfit(order);
    assert.equal(error.sentence, sentence);
    assert.equal(
      error.message,
      `PATCH /api/v1/namespaces/a/services/shop: ${sentence} (422; the same request will fail again: correct it)`,
    );
  }
});

test("a refused write is told to people without the request, for logs with it", () => {
  const one = unfit([NAME]);
  assert.equal(one.sentence, 'Service "shop" is invalid: metadata.name: Invalid value: "Shop"');
  assert.match(
    one.message,
    /^PATCH \/api\/v1\/namespaces\/a\/services\/shop: Service "shop" is invalid: .*\(422; /,
  );
  const forbidden = refusal(answer(403, "no"), { name: "PATCH /api/v1/namespaces/a/services/shop" });
  assert.equal(forbidden.sentence, "no (grant this right to the user (`reveille rbac` prints the rules))");
});
