import assert from "node:assert/strict";
import { it } from "vitest";
import type { Standing } from "../../../shared/kube/client/index.ts";
import type { ConnectionNews } from "../../../shared/kube/cluster-names.ts";
import { connectionEvent } from "./connection-event.ts";

for (const [state, tells, type, kind, lane] of [
  ["reachable", undefined, "dependency.ready", "Connection", "urgent"],
  // Another state of one that is away is news to those who wait for it: a Secret came, and a user may have brought it.
  ["unreachable", "connection", "dependency.lost", "Connection", "urgent"],
  ["unreachable", undefined, "dependency.lost", "Disconnection", "sweep"],
  ["no secret", "loss", "dependency.lost", "Disconnection", "sweep"],
] satisfies [Standing["state"], ConnectionNews | undefined, string, string, string][])
  it(`the news that a cluster is ${state} goes to those who wait for its ${kind}, in the lane ${lane}`, () => {
    const { type: told, data } = connectionEvent({
      home: "home",
      reference: "@runtime:rt-1",
      standing: { state, reason: "" },
      tells,
      now: 0,
      id: "1",
    });
    const { ref, lane: goes } = data as { readonly ref: { readonly kind: string }; readonly lane: string };
    assert.deepEqual([told, ref.kind, goes], [type, kind, lane]);
  });
