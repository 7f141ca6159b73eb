const DAY_MILLISECONDS = 86_400_000;

/** The seed of the samples, such as today's date, in the environment variable TEST_SEED. Undefined: everything runs. */
export const testSeed = (): string | undefined => process.env.TEST_SEED || undefined;

/** The shares of the suites that take long: one part in so many runs where a seed is set. */
export const SHARES = {
  longScenarios: 4,
  realScenarios: 10,
  hostScenarios: 6,
  fleetScenarios: 24,
  deaths: 32,
  orders: 4,
} as const;

/**
 * True where one part of a suite belongs to this run: all of them without a seed, with one a part in `share`. Successive numbers
 * under one name, and successive seeds that are dates or whole numbers, take turns: `share` of them in a row leave nothing out.
 *
 * @param name the suite that the number counts within, or the scenario of which each death is a part
 */
export function isInSample(share: number, name: string, number = 0, seed = testSeed()): boolean {
  return seed === undefined || (hash(name) + number + turnOf(seed)) % share === 0;
}

/** The parts that a seed leaves out, for people who read the output; undefined where nothing is. */
export function sampleNote(seed = testSeed()): string | undefined {
  if (seed === undefined) return undefined;
  const { longScenarios, realScenarios, hostScenarios, fleetScenarios, deaths, orders } = SHARES;
  return `TEST_SEED=${seed}: one in ${longScenarios} of the scenarios that take long and of the dry runs, one in ${realScenarios} of those on real servers, one in ${hostScenarios} of those on hosts, one in ${fleetScenarios} of those by fleets of workers, one in ${deaths} of the deaths after a write, one in ${orders} of the orders in which requests are let through; without it all of them run`;
}

/** The number of a seed. A date is a number of days, so that tomorrow is the next turn. */
export function turnOf(seed: string): number {
  const days = /^\d{4}-\d{2}-\d{2}$/.test(seed) ? Date.parse(seed) / DAY_MILLISECONDS : Number(seed);
  return Number.isSafeInteger(days) && days >= 0 ? days : hash(seed);
}

/** FNV-1a, 32 bit. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
