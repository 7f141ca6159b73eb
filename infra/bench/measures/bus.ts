import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Envelope } from "../../../events/index.ts";
import type { Finished } from "../../../shared/bus/contract.ts";
import { openEmbeddedBus } from "../../../shared/bus/embedded/index.ts";
import type { NewItem, WorkItem } from "../../../shared/bus/item.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import type { Measure } from "../measure.ts";
import { short } from "../numbers.ts";

const ITEMS = 20_000;
const BATCH = 50;
const KEYS = 500;

/** Events published, routed, taken, run and acknowledged, each durable, through one file. */
export const bus: Measure = {
  name: "bus",
  run: async ({ folder }) => {
    const limit = rawTransactions(join(folder, "raw.db"));
    const own = await throughTheBus(join(folder, "bus.db"));
    return [
      {
        budget: "embedded bus, file: durable items ≥ 5,000/s",
        measured: `${short(own)}/s`,
        limit: `${short(limit)} rows/s, committed one by one`,
        ratio: own / limit,
        ok: own >= 5_000,
      },
    ];
  },
};

/** The rate of SQLite through Node: one row in one transaction each, as durable. */
function rawTransactions(file: string): number {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT)",
  );
  const insert = database.prepare("INSERT INTO item (body) VALUES (?)");
  const body = "x".repeat(500);
  const began = performance.now();
  for (let item = 0; item < ITEMS; item++) insert.run(body);
  const rate = ITEMS / ((performance.now() - began) / 1000);
  database.close();
  return rate;
}

async function throughTheBus(file: string): Promise<number> {
  const bus = openEmbeddedBus({ file, clock: systemClock, route: (event) => [itemOf(event)] });
  let ran = 0;
  const all = Promise.withResolvers<void>();
  bus.subscribe({
    ran: (run) => {
      ran += run.causes.length;
      if (ran >= ITEMS) all.resolve();
    },
  });
  bus.consume({ parallel: BATCH }, async ({ item }) => finished(item));
  const began = performance.now();
  for (let item = 0; item < ITEMS; item += BATCH)
    await bus.publish(Array.from({ length: BATCH }, (_, each) => changed(item + each)));
  await all.promise;
  const rate = ITEMS / ((performance.now() - began) / 1000);
  await bus.close();
  return rate;
}

const subjectOf = (index: number): string => `bench.example.org/Widget/bench/widget-${index % KEYS}`;

/** A change of one of 500 Widgets. */
export function changed(index: number): Envelope {
  return {
    specversion: "1.0",
    id: `event-${index}`,
    type: "resource.changed",
    source: "/clusters/bench",
    subject: subjectOf(index),
    time: "2026-01-01T00:00:00.000Z",
    datacontenttype: "application/json",
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    data: {
      ref: {
        cluster: "bench",
        group: "bench.example.org",
        version: "v1",
        kind: "Widget",
        namespace: "bench",
        name: `widget-${index % KEYS}`,
        uid: `uid-${index % KEYS}`,
      },
      era: 0,
      resourceVersion: String(index + 1),
      generation: index + 1,
      lane: "urgent",
      differs: ["object"],
      facts: {},
      seen: [],
      incomplete: false,
      owners: [],
      deleting: false,
    },
  };
}

/** The work that it leads to. */
export const itemOf = ({ id, type, subject, time, data }: Envelope): NewItem => {
  const { ref, resourceVersion } = data as {
    readonly ref: { readonly uid: string };
    readonly resourceVersion: string;
  };
  return {
    function: "widget",
    key: subject ?? "",
    lane: "urgent",
    cause: {
      sort: "own",
      eventId: id,
      type,
      subject,
      uid: ref.uid,
      resourceVersion,
      revives: false,
      at: time,
    },
  };
};

let runs = 0;
/** A run that ended well, with one write. */
export function finished(item: WorkItem): Finished {
  const [cause] = item.causes;
  const subject = cause?.subject ?? "";
  const uid = cause?.uid;
  const resourceVersion = `${cause?.resourceVersion}1`;
  runs += 1;
  return {
    state: "finished",
    echoes: [],
    waits: [],
    deadlines: {},
    net: undefined,
    again: false,
    enqueue: [],
    run: {
      id: `run-${runs}`,
      function: item.function,
      key: item.key,
      lane: item.lane,
      attempt: item.attempt,
      startedAt: "2026-01-01T00:00:00.000Z",
      milliseconds: 1,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203332-01",
      causes: item.causes,
      reads: [{ subject, uid, resourceVersion: cause?.resourceVersion }],
      writes: [{ verb: "status", subject, uid, resourceVersion, paths: ["status.doubled"], sent: true }],
      outcome: "done",
      waitingFor: [],
      deadlines: {},
    },
  };
}
