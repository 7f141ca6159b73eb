import { setTimeout as pause } from "node:timers/promises";
import { skipWithoutNats, startNatsServer } from "../../testing/nats-server.ts";
import { type Duellist, missingServers, startDuel } from "../duel.ts";
import { cpuSecondsOf } from "../machine.ts";
import type { Figure, Measure } from "../measure.ts";
import { median, quantile, short } from "../numbers.ts";

const WIDGETS = Array.from({ length: 20 }, (_, index) => `widget-${index}`);
const CHANGES = 400;
/** The changes after which V8 has compiled what it will, and as many again. */
const MANY = 1_000;

const cpuOf = ({ pids }: Duellist): number => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);

/** Changes a widget of each, by turns and after one another; what each change took, by contender. */
async function turns(both: readonly [Duellist, Duellist], from: number, changes: number) {
  const taken = new Map<Duellist, number[]>(both.map((one) => [one, []]));
  for (let turn = from; turn < from + changes; turn++) {
    const widget = WIDGETS[turn % WIDGETS.length] ?? "";
    for (const one of turn % 2 === 0 ? both : both.toReversed()) {
      taken.get(one)?.push(await one.change(widget, turn + 10));
      await pause(5);
    }
  }
  return taken;
}

/** Creates and changes each widget once. */
async function warmUp(both: readonly Duellist[]): Promise<void> {
  for (const one of both)
    for (const widget of WIDGETS) {
      await one.create(widget, 1);
      await one.answered(widget, 1);
      await one.change(widget, 2);
    }
}

interface Race {
  readonly name: string;
  /** True where a ConfigMap is applied before the status. */
  readonly child: boolean;
  /** Watcher and worker are processes of their own over NATS. */
  readonly overNats?: true;
  /** Budgets: the ratio to the bare loop, and seconds for 1,000 changes. */
  readonly p50: number;
  readonly cpu?: number;
}

/** Change → status, one change at a time, by turns with the bare loop. */
const latency = ({ name, child, overNats, p50, cpu }: Race): Measure => ({
  name,
  missing: () => missingServers() ?? (overNats && (skipWithoutNats() || undefined)),
  run: async (bench): Promise<readonly Figure[]> => {
    const server = overNats && (await startNatsServer());
    if (server !== undefined) bench.after(() => server.stop());
    const { bare, reveille } = await startDuel(bench, child, server?.url);
    const both = [bare, reveille] as const;
    await warmUp(both);
    const before = both.map(cpuOf);
    const taken = await turns(both, 0, CHANGES);
    const [bareCpu = Number.NaN, ownCpu = Number.NaN] = both.map(
      (one, index) => (cpuOf(one) - (before[index] ?? 0)) * (1000 / CHANGES),
    );
    const [limits = [], own = []] = both.map((one) => taken.get(one));
    const ratio = median(own) / median(limits);
    const what = `change → ${child ? "child and " : ""}status${overNats ? " over NATS" : ""}`;
    return [
      {
        budget: `${what}, p50 ≤ ${p50}× bare`,
        measured: `${short(median(own))} ms`,
        limit: `${short(median(limits))} ms`,
        ratio,
        ok: ratio <= p50,
        bar: { chart: "ratios", label: what, own: ratio, budget: p50 },
      },
      {
        budget: `${what}, p99`,
        measured: `${short(quantile(own, 0.99))} ms`,
        limit: `${short(quantile(limits, 0.99))} ms`,
        ratio: quantile(own, 0.99) / quantile(limits, 0.99),
        ok: true,
      },
      {
        budget: `CPU for 1,000 changes${cpu === undefined ? ", both processes" : ` ≤ ${cpu} s`}`,
        measured: `${short(ownCpu)} s`,
        limit: `${short(bareCpu)} s`,
        ratio: ownCpu / bareCpu,
        ok: cpu === undefined || ownCpu <= cpu,
        bar: {
          chart: "cpu",
          label: what,
          own: ownCpu,
          bare: bareCpu,
          ...(cpu !== undefined && { budget: cpu }),
        },
      },
    ];
  },
});

export const status = latency({ name: "status", child: false, p50: 1.15, cpu: 2.2 });
export const child = latency({ name: "child", child: true, p50: 1.15, cpu: 6 });
export const natsStatus = latency({ name: "nats-status", child: false, overNats: true, p50: 1.8 });

/** The CPU of a process that has done the same a thousand times: the first hundreds of changes measure V8's compiler as much. */
export const warm: Measure = {
  name: "warm",
  missing: missingServers,
  run: async (bench) => {
    const { bare, reveille } = await startDuel(bench, false);
    const both = [bare, reveille] as const;
    await warmUp(both);
    await turns(both, 0, MANY);
    const before = both.map(cpuOf);
    const taken = await turns(both, MANY, MANY);
    const [limit = Number.NaN, own = Number.NaN] = both.map(
      (one, index) => cpuOf(one) - (before[index] ?? 0),
    );
    const [limits = [], answers = []] = both.map((one) => taken.get(one));
    const ratio = median(answers) / median(limits);
    return [
      {
        budget: "changes 1,000 to 2,000: CPU ≤ 1.7 s",
        measured: `${short(own)} s`,
        limit: `${short(limit)} s`,
        ratio: own / limit,
        ok: own <= 1.7,
        bar: { chart: "cpu", label: "status, changes 1,000 to 2,000", own, bare: limit, budget: 1.7 },
      },
      {
        budget: "changes 1,000 to 2,000: change → status, p50 ≤ 1.15× bare",
        measured: `${short(median(answers))} ms`,
        limit: `${short(median(limits))} ms`,
        ratio,
        ok: ratio <= 1.15,
        bar: { chart: "ratios", label: "status, changes 1,000 to 2,000", own: ratio, budget: 1.15 },
      },
    ];
  },
};
