import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { jetstream, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { Envelope } from "../../../events/index.ts";
import { natsOptions, openNatsBus } from "../../../shared/bus/nats/index.ts";
import { bundle } from "../../deploy/bundle.ts";
import { skipWithoutNats, startNatsServer } from "../../testing/nats-server.ts";
import { memoryOf } from "../machine.ts";
import type { Measure } from "../measure.ts";
import { inParallel, median, short } from "../numbers.ts";
import { AS_A_WORKER, type Program, programFile, startProgram } from "../program.ts";
import { changed, itemOf } from "./bus.ts";

const EVENTS = 10_000;
const WINDOW = 256;
const ROUNDS = 3;
const SLOTS = 64;
/** The options of Node, as infra/deploy/Containerfile and the command `worker` set them. */
const AS_IN_THE_IMAGE = { NODE_OPTIONS: "--max-semi-space-size=8" };
const REST_MILLISECONDS = 3_000;

/** A change of an object that no other event is about: each is a run of its own. */
function distinct(index: number): Envelope {
  const event = changed(index);
  return { ...event, subject: `bench.example.org/Widget/bench/of-its-own-${index}` };
}

const perSecond = async (count: number, each: (index: number) => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await inParallel(
    WINDOW,
    Array.from({ length: count }, (_, index) => index),
    each,
  );
  return count / ((performance.now() - began) / 1000);
};

/** The bus on NATS against the bare client on the same server, in turns; the worker is a process of its own. */
export const natsBus: Measure = {
  name: "nats",
  missing: () => skipWithoutNats() || undefined,
  run: async (bench) => {
    const server = await startNatsServer();
    bench.after(() => server.stop());
    const connection = await connect({ servers: server.url });
    bench.after(() => connection.close());
    const manager = await jetstreamManager(connection);
    await manager.streams.add({
      name: "bare",
      subjects: ["bare.>"],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      max_msgs_per_subject: 1,
    });
    const bare = jetstream(connection);
    const bus = await openNatsBus({
      nats: natsOptions.parse({ servers: [server.url] }),
      functions: ["widget"],
      route: (event) => [itemOf(event)],
    });
    bench.after(() => bus.close());
    const { file } = await bundle(programFile("programs/nats-worker.ts"), join(bench.folder, "worker.mjs"));
    const startWorker = (): Promise<Program> =>
      startProgram([...AS_A_WORKER, file, server.url, String(SLOTS)], { environment: AS_IN_THE_IMAGE });
    const resting = await startWorker();
    await pause(REST_MILLISECONDS);
    const rest = memoryOf(resting.pid).resident;
    await resting.stop();
    let number = 0;
    const rates: { readonly own: number; readonly bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const from = number;
      number += EVENTS;
      rates.push({
        bare: await perSecond(EVENTS, (index) =>
          bare.publish(`bare.${from + index}`, JSON.stringify(distinct(from + index)), {
            msgID: `event-${from + index}`,
          }),
        ),
        own: await perSecond(EVENTS, (index) => bus.publish([distinct(from + index)])),
      });
    }
    const share = median(rates.map(({ own, bare: limit }) => own / limit));

    // All of it waits, each event under a key of its own.
    const left = async (): Promise<number> => (await manager.streams.info("reveille-work")).state.messages;
    const worker = await startWorker();
    bench.after(() => worker.stop());
    const waiting = await left();
    const began = performance.now();
    let most = 0;
    while ((await left()) > 0) {
      most = Math.max(most, memoryOf(worker.pid).resident);
      await pause(50);
    }
    const runs = waiting / ((performance.now() - began) / 1000);
    return [
      {
        budget: "NATS bus: publish ≥ 0.8× the bare client",
        measured: `${short(median(rates.map(({ own }) => own)))}/s`,
        limit: `${short(median(rates.map(({ bare: limit }) => limit)))}/s`,
        ratio: share,
        ok: share >= 0.8,
      },
      {
        budget: "NATS bus: runs with exclusive keys ≥ 5,000/s, server and worker on this machine",
        measured: `${short(runs)}/s`,
        ok: runs >= 5_000,
      },
      {
        budget: "NATS worker resident: at rest ≤ 96 MiB, under full load ≤ 192 MiB",
        measured: `${short(rest)} MiB, ${short(most)} MiB`,
        ok: rest <= 96 && most <= 192,
      },
    ];
  },
};
