import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf } from "../../infra/testing/one-run.ts";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import type { Bus, History } from "../bus/contract.ts";
import type { Cause } from "../bus/item.ts";
import { defineKind, defineSystem, each } from "../function/index.ts";
import { OwnWrites } from "../hints/own-writes.ts";
import { Untold } from "../hints/untold.ts";
import type { KubeClient } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";
import { silent } from "../log/log.ts";
import { configuredFunctions } from "./configuration.ts";
import { type HostWorkParts, hostWork } from "./work.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int() }),
}) {}
const fill = each(Jar).function({
  name: "fill",
  reconcile: ({ self }) => ({ status: { level: self.spec.size } }),
});
const KEY = "c/unit.example.org/Jar/a/one";

/** A host of one Jar that changes before each run, and how often its history was asked who wrote a version. */
function stage(more: Partial<HostWorkParts> = {}) {
  let version = 0;
  let asked = 0;
  const jar = (status?: unknown): KubeObject => ({
    apiVersion: "unit.example.org/v1",
    kind: "Jar",
    metadata: { name: "one", namespace: "a", uid: "u", resourceVersion: `${version}`, generation: version },
    spec: { size: version },
    status,
  });
  const client: Partial<KubeClient> = {
    get: async () => jar(),
    apply: async (_, __, body) => {
      version++;
      return { ...jar(), status: body.status };
    },
    create: async (_, body) => body,
  };
  const history: Partial<History> = {
    ofWrite: async () => {
      asked++;
      return undefined;
    },
  };
  const work = hostWork({
    functions: configuredFunctions([defineSystem({ name: "unit", functions: [fill] })]),
    client: client as KubeClient,
    cluster: "c",
    bus: { history: history as History } as Bus,
    clock: manualClock(),
    log: silent,
    nets: false,
    paused: { has: async () => false, set: () => assert.fail("nobody pauses") },
    ...more,
  });
  /** Runs for a change of the user's, or for the version that the last run wrote. */
  const run = async (by: "user" | "itself"): Promise<void> => {
    if (by === "user") version++;
    const cause: Cause = {
      sort: "own",
      eventId: `event-${version}`,
      type: "resource.changed",
      uid: "u",
      resourceVersion: `${version}`,
      revives: false,
      at: "2026-01-15T10:00:00Z",
    };
    const end = await work(leaseOf(itemOf("fill", KEY, { causes: [cause] })));
    assert.equal(end.state, "finished");
  };
  return { run, asked: () => asked };
}
const beside = () => ({ own: new OwnWrites(), untold: new Untold() });

describe("the question who wrote a version", () => {
  it("is not asked of the history where all runs are in this process", async () => {
    const { run, asked } = stage({ beside: beside() });
    for (let each = 0; each < 60; each++) await run("user");
    assert.equal(asked(), 0);
  });

  it("is asked of it, once a run that somebody else woke, where others may have written it", async () => {
    const { run, asked } = stage();
    for (let each = 0; each < 25; each++) await run("user");
    assert.ok(asked() > 0 && asked() <= 25, `${asked()}`);
  });

  it("is not asked of it for what a run of this process wrote", async () => {
    const { run, asked } = stage();
    await run("user");
    for (let each = 0; each < 25; each++) await run("itself");
    assert.ok(asked() <= 1, `${asked()}`);
  });
});
