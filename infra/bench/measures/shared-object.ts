import * as z from "zod";
import { changed, defineKind, defineSystem, each } from "../../../shared/function/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { startEmbeddedEngine } from "../../engine/index.ts";
import { FakeCluster } from "../fake-cluster.ts";
import type { Measure } from "../measure.ts";
import { median, quantile, short } from "../numbers.ts";

const DEPENDANTS = 10_000;
const BYSTANDERS = 50;

class Rate extends defineKind({
  group: "bench.example.org",
  version: "v1",
  kind: "Rate",
  scope: "Cluster",
  fields: { spec: z.object({ by: z.int() }) },
  facts: (it) => ({ by: it.spec.by }),
}) {}

class Price extends defineKind({
  group: "bench.example.org",
  version: "v1",
  kind: "Price",
  scope: "Namespaced",
  fields: { spec: z.object({ amount: z.int(), rate: z.string() }) },
  status: z.object({ observedGeneration: z.int(), total: z.int() }),
}) {}

const prices = each(Price).function({
  name: "prices",
  wakes: [changed(Rate).toEach((price, rate) => price.spec.rate === rate.name)],
  observe: async ({ self, read }) => ({ rate: await read.get(Rate, { name: self.spec.rate }) }),
  reconcile: ({ self, rate }) => ({
    status: { observedGeneration: self.metadata.generation, total: self.spec.amount * (rate?.spec.by ?? 1) },
  }),
});

const resource = resourceOf(Price);
const rates = resourceOf(Rate);

/** One object that all depend on changes; how long do the others wait meanwhile? */
export const sharedObject: Measure = {
  name: "shared-object",
  run: async (bench) => {
    const cluster = new FakeCluster();
    const price = (name: string, amount: number, rate: string) =>
      cluster.put(resource, { metadata: { namespace: "bench", name }, spec: { amount, rate } });
    const rate = (by: number) => cluster.put(rates, { metadata: { name: "shared" }, spec: { by } });
    rate(2);
    for (let index = 0; index < DEPENDANTS; index++) price(`dependant-${index}`, index, "shared");
    for (let index = 0; index < BYSTANDERS; index++) price(`bystander-${index}`, 1, "none");
    let onStatus: (
      name: string,
      status: { readonly observedGeneration: number; readonly total: number },
    ) => void = () => undefined;
    const right = new Set<string>();
    let factor = 2;
    let all = Promise.withResolvers<void>();
    const client = cluster.client(({ metadata: { name }, spec, status }) => {
      const told = status as { readonly observedGeneration: number; readonly total: number };
      onStatus(name, told);
      if (
        !name.startsWith("dependant") ||
        told.total !== (spec as { readonly amount: number }).amount * factor
      )
        return;
      right.add(name);
      // The first one's amount is 0: its status is right whatever the rate.
      if (right.size >= DEPENDANTS - 1) all.resolve();
    });
    const engine = await startEmbeddedEngine({
      client,
      cluster: "bench",
      systems: [defineSystem({ name: "prices", functions: [prices] })],
      directory: bench.folder,
      lease: false,
    });
    bench.after(() => engine.stop());
    await all.promise;

    const change = (index: number, amount: number): Promise<number> => {
      const name = `bystander-${index % BYSTANDERS}`;
      const { metadata } = price(name, amount, "none");
      const began = performance.now();
      return new Promise((resolve) => {
        onStatus = (of, { observedGeneration }) => {
          if (of === name && observedGeneration === metadata.generation) resolve(performance.now() - began);
        };
      });
    };
    const alone: number[] = [];
    for (let turn = 0; turn < 100; turn++) alone.push(await change(turn, turn + 10));
    right.clear();
    factor = 3;
    all = Promise.withResolvers<void>();
    let done = false;
    void all.promise.then(() => {
      done = true;
    });
    rate(factor);
    const began = performance.now();
    const meanwhile: number[] = [];
    for (let turn = 0; !done; turn++) meanwhile.push(await change(turn, turn + 1_000));
    const seconds = (performance.now() - began) / 1000;
    const p99 = quantile(meanwhile, 0.99);
    return [
      {
        budget: `one shared object → ${DEPENDANTS.toLocaleString("en")} dependants: p99 of others ≤ 1 s`,
        measured: `${short(p99)} ms of ${meanwhile.length} in ${short(seconds)} s`,
        limit: `${short(median(alone))} ms alone (p50)`,
        ratio: p99 / median(alone),
        ok: p99 <= 1_000,
      },
      {
        budget: "dependants missing: 0",
        measured: String(DEPENDANTS - 1 - right.size),
        ok: right.size >= DEPENDANTS - 1,
      },
    ];
  },
};
