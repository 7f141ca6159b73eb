import assert from "node:assert/strict";
import { it } from "vitest";
import { charts } from "./charts.ts";
import type { Figure } from "./measure.ts";

const figure = (bar: Figure["bar"], ok = true): Figure => ({ budget: "b", measured: "m", bar, ok });

it("draws each chart that has bars, the longest as long as there is room", () => {
  const drawn = charts([
    figure({ chart: "cpu", label: "cold", own: 4, bare: 2, budget: 3 }, false),
    figure({ chart: "cpu", label: "a < b & c", own: 1, bare: 1 }),
    figure(undefined),
  ]);
  assert.deepEqual([...drawn.keys()], ["bench-cpu.svg"]);
  const text = drawn.get("bench-cpu.svg") ?? "";
  assert.deepEqual(
    [...text.matchAll(/<rect x="300" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width)),
    [370, 185, 92.5, 92.5],
  );
  assert.match(text, /M577\.5 /);
  assert.match(text, /a &lt; b &amp; c/);
});

it("shows a missed budget in another colour", () => {
  const of = (ok: boolean) =>
    charts([figure({ chart: "ratios", label: "p50", own: 2, budget: 1 }, ok)]).get("bench-ratios.svg") ?? "";
  assert.notEqual(of(true), of(false));
});
