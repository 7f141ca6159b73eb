import assert from "node:assert/strict";
import { test } from "vitest";
import { memberSettings } from "./settings.ts";

const place = { name: "worker-0", folder: "/f", kubeconfig: "/f/kubeconfig", bus: { kind: "nats" } };

test("a trial's own field leaves the others of its section", () => {
  const settings = memberSettings(place, { cluster: { requestTimeout: "5s" }, runs: { concurrency: 3 } });
  assert.deepEqual(settings.cluster, { kubeconfig: "/f/kubeconfig", name: "faults", requestTimeout: "5s" });
  assert.deepEqual(settings.runs, { nets: false, maximumAttempts: 4, concurrency: 3 });
  assert.deepEqual(settings.bus, { kind: "nats" });
});

test("a trial may change a field and add a section", () => {
  const settings = memberSettings(place, { runs: { maximumAttempts: 10 }, http: { port: 1 } });
  assert.deepEqual(settings.runs, { nets: false, maximumAttempts: 10 });
  assert.deepEqual(settings.http, { port: 1 });
});
