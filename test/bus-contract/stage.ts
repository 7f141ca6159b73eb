import type { TestContext } from "vitest";
import type { SettlingClock } from "../../infra/testing/settling-clock.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import { type BusRequest, type BusUnderTest, type Hands, route } from "./fixture.ts";

/** Where an adapter keeps a promise less exactly than the others. Each names what of the design (§4) lets it. */
export interface Capabilities {
  /** B2: what waits of a key is one item. SQS: only what arrives in one batch; the rest are runs that find nothing to do. */
  readonly mergesWaiting: boolean;
  /**
   * B2: a run tells every event that was published before it began. NATS: what lies in the process already may be an older form of
   * the item, and the newer one is a run of its own. SQS: its waiting items stay apart.
   */
  readonly handsOverAtOnce: boolean;
  /** What waits is known by key, and since when. SQS: a queue tells only how many messages it holds. */
  readonly knowsWaiting: boolean;
  /** B8: the lanes are ordered. SQS: the slow lane is a slower producer, since two queues would be two locks. */
  readonly ordersLanes: boolean;
  /** Items of different keys have one order. SQS: each function has a queue of its own, and order is within a group. */
  readonly ordersKeys: boolean;
  /** B7: timers go by the suite's clock. NATS: by the server's own; what lies days ahead is proven by what the server is told. */
  readonly keepsOurTime: boolean;
  /** B7: a timer rings at its time. SQS: delays are whole seconds, so that one rings up to a second late. */
  readonly ringsToTheMillisecond: boolean;
  /**
   * B5: it is known from the first death on what ran beside a key when its process died. SQS: only of suspects, since a queue tells
   * but how often it gave a message out; the two deaths before count for nobody.
   */
  readonly knowsCompany: boolean;
  /** B5: a suspect runs alone in its process. SQS: alone among what its consumer runs, which is all where a process has one. */
  readonly emptiesProcess: boolean;
  /** B4: what a run wrote is known when its event comes after the end. Embedded: the watcher of the same process holds such an event. */
  readonly knowsLateEchoes: boolean;
  /** B12: the history is bounded by count. DynamoDB: each entry has an expiry, and nothing counts them. */
  readonly countsHistory: boolean;
}

export const everything: Capabilities = {
  mergesWaiting: true,
  handsOverAtOnce: true,
  knowsWaiting: true,
  ordersLanes: true,
  ordersKeys: true,
  keepsOurTime: true,
  ringsToTheMillisecond: true,
  knowsCompany: true,
  emptiesProcess: true,
  knowsLateEchoes: true,
  countsHistory: true,
};

/** What each test of the suite stands on. */
export interface Stage {
  readonly can: Capabilities;
  readonly clock: SettlingClock;
  readonly under: BusUnderTest;
  readonly bus: Bus;
  hands(options?: { readonly parallel?: number; readonly functions?: readonly string[] }, bus?: Bus): Hands;
}

/** Defines one test: `promise` names what it proves (B1 to B12). */
export type Prove = (promise: string, body: (stage: Stage, context: TestContext) => Promise<void>) => void;

export const LEASE = 30_000;
export const RETRY = {
  initialMilliseconds: 1_000,
  factor: 2,
  maximumMilliseconds: 10_000,
  maximumAttempts: 3,
  jitter: 0,
};
export const RUNS = 50;

/** What a bus is opened with where no suite asks for anything else. */
export const requestAt = (clock: SettlingClock): BusRequest => ({
  clock,
  route,
  retry: RETRY,
  leaseMilliseconds: LEASE,
  history: { maximumAgeMilliseconds: 86_400_000, maximumRuns: RUNS },
});
