// A worker in a process of its own, which tells a journal what it does. Argument: its orders as JSON.
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { done, failed, route } from "../bus-contract/fixture.ts";

/** What a test orders a worker to do. */
export interface Orders {
  readonly nats: Record<string, unknown>;
  readonly journal: string;
  readonly name: string;
  readonly parallel: number;
  /** How long a run takes. */
  readonly milliseconds: number;
  /** Before its effect each run waits for this file. */
  readonly goFile?: string | undefined;
  /** After its effect each run of this attempt waits for ever. */
  readonly hangsAtAttempt?: number | undefined;
  /** One of so many runs fails. */
  readonly failsOneOf?: number | undefined;
}

const orders = JSON.parse(process.argv[2] ?? "") as Orders;
const { name, journal } = orders;
const say = (...words: readonly (string | number)[]): void => appendFileSync(journal, `${words.join(" ")}\n`);

const bus = await openNatsBus({
  nats: natsOptions.parse(orders.nats),
  functions: ["widget"],
  route,
  retry: {
    initialMilliseconds: 300,
    factor: 2,
    maximumMilliseconds: 2_000,
    maximumAttempts: 100,
    jitter: 0.5,
  },
});
let runs = 0;
bus.consume({ parallel: orders.parallel }, async (lease) => {
  const { item: of } = lease;
  runs += 1;
  say("begin", of.key, name, of.attempt, of.causes.map(({ eventId }) => eventId).join(","));
  await pause(orders.milliseconds);
  while (orders.goFile !== undefined && !existsSync(orders.goFile)) await pause(20);
  if (!(await lease.held())) {
    say("refused", of.key, name, of.attempt);
    return { state: "lost" };
  }
  say("effect", of.key, name, of.attempt);
  if (of.attempt === orders.hangsAtAttempt) await new Promise(() => undefined);
  if (orders.failsOneOf !== undefined && runs % orders.failsOneOf === 0) return failed(of);
  return done(of);
});
// Nothing else may keep the process alive.
process.once("SIGTERM", () => void bus.close());
say("ready", "-", name, 0);
