import { setTimeout as pause } from "node:timers/promises";
import { Widget } from "../../../examples/widget/widget.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { startEmbeddedEngine } from "../../engine/index.ts";
import { contending } from "../contender/functions.ts";
import { FakeCluster } from "../fake-cluster.ts";
import type { Measure } from "../measure.ts";

const OBJECTS = 1_000;
const REST_MILLISECONDS = 10_000;
const widgets = resourceOf(Widget);
const sum = (requests: Readonly<Record<string, number>>): number =>
  Object.values(requests).reduce((total, each) => total + each, 0);

/** Measures the requests of a whole engine to its cluster when nothing happens, and when nothing that counts happens. */
export const atRest: Measure = {
  name: "at-rest",
  run: async (bench) => {
    const cluster = new FakeCluster();
    const body = (index: number, label: string) => ({
      metadata: { namespace: "bench", name: `widget-${index}`, labels: { turn: label } },
      spec: { value: index, message: "" },
    });
    for (let index = 0; index < OBJECTS; index++) cluster.put(widgets, body(index, "first"));
    let answered = 0;
    const all = Promise.withResolvers<void>();
    const client = cluster.client(() => {
      answered += 1;
      if (answered >= OBJECTS) all.resolve();
    });
    const engine = await startEmbeddedEngine({
      client,
      cluster: "bench",
      systems: [contending(false)],
      directory: bench.folder,
      lease: false,
    });
    bench.after(() => engine.stop());
    await all.promise;
    const quiet = async (): Promise<void> => {
      for (let before = -1; before !== sum(cluster.requests); await pause(1_000))
        before = sum(cluster.requests);
    };
    await quiet();
    const writes = (): number => cluster.requests.apply ?? 0;
    const perChange = writes() / OBJECTS;
    const before = sum(cluster.requests);
    await pause(REST_MILLISECONDS);
    const atRest = sum(cluster.requests) - before;
    // A new label wakes the function; its status is already so.
    const wroteBefore = writes();
    for (let index = 0; index < 100; index++) cluster.touch(widgets, body(index, "second"));
    await quiet();
    const needless = writes() - wroteBefore;
    return [
      { budget: "writes a change, status alone: 1", measured: String(perChange), ok: perChange === 1 },
      {
        budget: "requests at rest, watches and the Lease apart: 0",
        measured: `${atRest} in ${REST_MILLISECONDS / 1000} s`,
        ok: atRest === 0,
      },
      {
        budget: "writes for 100 changes that change nothing: 0",
        measured: String(needless),
        ok: needless === 0,
      },
    ];
  },
};
