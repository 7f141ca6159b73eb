import { setTimeout as pause } from "node:timers/promises";
import { type Duellist, missingServers, startDuel } from "../duel.ts";
import { cpuSecondsOf } from "../machine.ts";
import type { Figure, Measure } from "../measure.ts";
import { median, quantile, short } from "../numbers.ts";

const WIDGETS = Array.from({ length: 20 }, (_, index) => `widget-${index}`);
const CHANGES = 400;

/** Change → status, one change at a time, by turns with the bare loop. */
const latency = (
  name: string,
  child: boolean,
  budgets: { readonly p50: number; readonly cpu: number },
): Measure => ({
  name,
  missing: missingServers,
  run: async (bench): Promise<readonly Figure[]> => {
    const { bare, reveille } = await startDuel(bench, child);
    const both = [bare, reveille] as const;
    const taken = new Map<Duellist, number[]>(both.map((one) => [one, []]));
    for (const one of both)
      for (const widget of WIDGETS) {
        await one.create(widget, 1);
        await one.answered(widget, 1);
        await one.change(widget, 2);
      }
    const before = both.map(({ pid }) => cpuSecondsOf(pid));
    for (let turn = 0; turn < CHANGES; turn++) {
      const widget = WIDGETS[turn % WIDGETS.length] ?? "";
      for (const one of turn % 2 === 0 ? both : both.toReversed()) {
        taken.get(one)?.push(await one.change(widget, turn + 10));
        await pause(5);
      }
    }
    const [bareCpu = Number.NaN, ownCpu = Number.NaN] = both.map(
      ({ pid }, index) => (cpuSecondsOf(pid) - (before[index] ?? 0)) * (1000 / CHANGES),
    );
    const [limits = [], own = []] = both.map((one) => taken.get(one));
    const ratio = median(own) / median(limits);
    const what = child ? "change → child and status" : "change → status";
    return [
      {
        budget: `${what}, p50 ≤ ${budgets.p50}× bare`,
        measured: `${short(median(own))} ms`,
        limit: `${short(median(limits))} ms`,
        ratio,
        ok: ratio <= budgets.p50,
      },
      {
        budget: `${what}, p99`,
        measured: `${short(quantile(own, 0.99))} ms`,
        limit: `${short(quantile(limits, 0.99))} ms`,
        ratio: quantile(own, 0.99) / quantile(limits, 0.99),
        ok: true,
      },
      {
        budget: `CPU for 1,000 changes ≤ ${budgets.cpu} s`,
        measured: `${short(ownCpu)} s`,
        limit: `${short(bareCpu)} s`,
        ratio: ownCpu / bareCpu,
        ok: ownCpu <= budgets.cpu,
      },
    ];
  },
});

export const status = latency("status", false, { p50: 1.25, cpu: 3 });
export const child = latency("child", true, { p50: 1.25, cpu: 6 });
