import { setTimeout as pause } from "node:timers/promises";
import type { Member } from "../testing/member.ts";

/** A part that can be taken away and given back. */
export interface Breakable {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Something that happened to the world, and when, in seconds from the start. */
export interface Blow {
  readonly at: number;
  readonly what: string;
}

export interface ChaosOptions {
  readonly members: readonly Member[];
  readonly random: () => number;
  readonly seconds: number;
  /** Stopped once, after a quarter of the time, for `outageSeconds`. */
  readonly bus: Breakable | undefined;
  readonly outageSeconds: number;
  /** Restarted once, when three quarters of the time are over. */
  readonly server: Breakable;
}

const FROZEN_MILLISECONDS = 5_000;

/** Kills and freezes members at random moments, stops the bus, and restarts the API server. Resolves when all stands again. */
export async function makeChaos(options: ChaosOptions): Promise<readonly Blow[]> {
  const { members, random, seconds, bus, outageSeconds, server } = options;
  const began = performance.now();
  const blows: Blow[] = [];
  const elapsed = (): number => (performance.now() - began) / 1000;
  const tell = (what: string): void => {
    blows.push({ at: Math.round(elapsed() * 10) / 10, what });
  };
  const untilSecond = (second: number): Promise<void> => pause(Math.max(0, second - elapsed()) * 1000);
  const strike = async (): Promise<void> => {
    while (elapsed() < seconds) {
      await pause(2_000 + random() * 4_000);
      const member = members[Math.floor(random() * members.length)];
      if (member === undefined) return;
      if (random() < 0.75) {
        member.kill();
        tell(`killed ${member.name}`);
      } else {
        tell(`froze ${member.name}`);
        await member.freeze(FROZEN_MILLISECONDS);
      }
    }
  };
  const outage = async (): Promise<void> => {
    await untilSecond(seconds / 4);
    if (bus === undefined) return;
    await bus.stop();
    tell("stopped the bus");
    await pause(outageSeconds * 1000);
    await bus.start();
    tell("started the bus");
  };
  const restart = async (): Promise<void> => {
    await untilSecond((seconds * 3) / 4);
    await server.stop();
    tell("stopped the API server");
    await server.start();
    tell("started the API server");
  };
  await Promise.all([strike(), outage(), restart()]);
  return blows;
}
