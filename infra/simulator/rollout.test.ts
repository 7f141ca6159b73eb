import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import type { DeploymentSpec } from "../../shared/kube/schema/workloads.ts";
import { bounds, rollOn, type Scale, sum } from "./rollout.ts";

const specOf = (
  replicas: number,
  maxSurge: number | string,
  maxUnavailable: number | string,
): DeploymentSpec => ({
  replicas,
  selector: {},
  template: {},
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
});

test("percentages round so that a rollout can go on", () => {
  assert.deepEqual(bounds(specOf(1, "25%", "25%")), { surge: 1, unavailable: 0 });
  assert.deepEqual(bounds(specOf(10, "25%", "25%")), { surge: 3, unavailable: 2 });
  assert.deepEqual(bounds(specOf(3, 0, "0%")), { surge: 0, unavailable: 1 });
});

test("a rollout keeps its bounds at every step and comes to its end, however slowly pods become available", () => {
  const amount = fc.oneof(
    fc.nat(5),
    fc.nat(100).map((percent) => `${percent}%`),
  );
  const old = fc.array(fc.nat(6), { maxLength: 3 });
  const slowness = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(
      fc.nat(8),
      amount,
      amount,
      old,
      slowness,
      (replicas, maxSurge, maxUnavailable, sizes, becomes) => {
        const spec = specOf(replicas, maxSurge, maxUnavailable);
        const { surge, unavailable } = bounds(spec);
        let fresh: Scale = { wants: 0, available: 0 };
        let rest: readonly Scale[] = sizes.map((wants) => ({ wants, available: wants }));
        for (let step = 0; step < 500; step++) {
          const total = fresh.wants + sum(rest.map(({ wants }) => wants));
          const before = fresh.available + sum(rest.map(({ available }) => available));
          const next = rollOn(spec, fresh, rest);
          const nextTotal = next.fresh + sum(next.old);
          assert.ok(nextTotal <= Math.max(total, replicas + surge), "too many pods");
          // Nobody stops the availability of what stays: what is lost are whole available pods of old sets.
          const kept =
            Math.min(fresh.available, next.fresh) +
            sum(rest.map(({ available }, index) => Math.min(available, next.old[index] ?? 0)));
          assert.ok(kept >= Math.min(before, replicas - unavailable), "too few available");
          const soon = becomes[step % becomes.length] ?? 0;
          fresh = {
            wants: next.fresh,
            available: Math.min(next.fresh, Math.min(fresh.available, next.fresh) + soon),
          };
          rest = rest.map(({ available }, index) => ({
            wants: next.old[index] ?? 0,
            available: Math.min(available, next.old[index] ?? 0),
          }));
        }
        if (becomes.some((soon) => soon > 0)) {
          assert.deepEqual(fresh, { wants: replicas, available: replicas });
          assert.equal(sum(rest.map(({ wants }) => wants)), 0);
        }
      },
    ),
  );
});
