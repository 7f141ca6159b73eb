import { setTimeout as pause } from "node:timers/promises";
import { childOf, MIRRORS, mirrorOf, PART, TALLY } from "./gear-names.ts";
import { type Address, type Read, Reader } from "./reader.ts";

const GEARS = "/apis/faults.example.org/v1/gears";
const FACTORS = "/apis/faults.example.org/v1/factors";
const CONFIG_MAPS = "/api/v1/configmaps";
const AGAIN_MILLISECONDS = 200;

interface Seen {
  observed: number;
  factor: number;
  child: number;
  /** The value that each generation asked for, for those that may still be answered. */
  readonly values: Map<number, number>;
}

const number = (value: unknown): number => (typeof value === "number" ? value : Number.NaN);
const placeOf = ({ metadata }: Read): string => `${metadata.namespace}/${metadata.name}`;

/**
 * Judges what the functions of Gears wrote, from the API server alone: `findings` while it happens, `missed` whenever it is asked.
 */
export class Auditor {
  /** A status that went back, was of another generation, or a child that went back: never to be mended by waiting. */
  readonly findings: string[] = [];
  /** Statuses that were judged. */
  answers = 0;
  readonly #reader: Reader;
  readonly #seen = new Map<string, Seen>();
  readonly #over = new AbortController();
  readonly #following: readonly Promise<void>[];

  constructor(address: Address) {
    this.#reader = new Reader(address);
    this.#following = [
      this.#follow(GEARS, (gear) => this.#judgeGear(gear)),
      this.#follow(CONFIG_MAPS, (map) => this.#judgeChild(map)),
    ];
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#following);
    this.#reader.close();
  }

  /** Resolves with what is not as it should be by now, a sentence each. Poisoned Gears are not asked for. */
  async missed(): Promise<readonly string[]> {
    const [gears, factors, maps] = await Promise.all(
      [GEARS, FACTORS, CONFIG_MAPS].map(async (path) => (await this.#reader.list(path)).items),
    );
    const values = new Map(factors?.map((factor) => [placeOf(factor), number(factor.spec.value)]));
    const byPlace = new Map(maps?.map((map) => [placeOf(map), map]));
    const mirrors = new Set<string>();
    const sums = new Map<string, number>();
    const found: string[] = [];
    for (const gear of gears ?? []) {
      const { namespace, name, uid, generation, deletionTimestamp } = gear.metadata;
      const place = placeOf(gear);
      mirrors.add(`${MIRRORS}/${mirrorOf(namespace, name)}`);
      const told = number(gear.status?.product);
      sums.set(namespace, (sums.get(namespace) ?? 0) + (Number.isNaN(told) ? 0 : told));
      if (gear.spec.poison !== undefined) continue;
      if (deletionTimestamp !== undefined) {
        found.push(`Gear ${place} is still being deleted`);
        continue;
      }
      const factor = values.get(`${namespace}/${String(gear.spec.factor)}`) ?? 1;
      const product = number(gear.spec.value) * factor;
      const { observedGeneration } = gear.status ?? {};
      if (observedGeneration !== generation || told !== product)
        found.push(
          `Gear ${place} says ${told} of generation ${String(observedGeneration)}, not ${product} of ${generation}`,
        );
      const child = byPlace.get(`${namespace}/${childOf(name)}`);
      if (child?.data.product !== String(product)) found.push(`the child of Gear ${place} is not ${product}`);
      else if (!child.metadata.ownerReferences.some((owner) => owner.uid === uid))
        found.push(`the child of Gear ${place} belongs to another`);
      if (byPlace.get(`${MIRRORS}/${mirrorOf(namespace, name)}`)?.data.product !== String(product))
        found.push(`the mirror of Gear ${place} is not ${product}`);
    }
    for (const [namespace, sum] of sums)
      if (byPlace.get(`${namespace}/${TALLY}`)?.data.sum !== String(sum))
        found.push(`the tally of ${namespace} is not ${sum}`);
    for (const [place, map] of byPlace)
      if (map.metadata.labels[PART] === "mirror" && !mirrors.has(place))
        found.push(`the mirror ${place} outlived its Gear`);
    return found;
  }

  /** The Gears whose status `failed` is set, with the code that it tells. */
  async failed(): Promise<Readonly<Record<string, string>>> {
    const { items } = await this.#reader.list(GEARS);
    return Object.fromEntries(
      items.flatMap((gear) =>
        typeof gear.status?.failed === "string" ? [[placeOf(gear), gear.status.failed]] : [],
      ),
    );
  }

  /** Each Gear's, Factor's and part's resourceVersion: two equal answers mean that nobody wrote in between. */
  async versions(): Promise<string> {
    const lists = await Promise.all([GEARS, FACTORS, CONFIG_MAPS].map((path) => this.#reader.list(path)));
    return lists
      .flatMap(({ items }) => items.map((one) => `${placeOf(one)} ${one.metadata.resourceVersion}`))
      .toSorted()
      .join("\n");
  }

  async #follow(path: string, judge: (object: Read) => void): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        const { metadata, items } = await this.#reader.list(path);
        for (const item of items) judge(item);
        await this.#reader.watch(path, metadata.resourceVersion, signal, (type, object) => {
          if (type === "ADDED" || type === "MODIFIED") judge(object);
        });
      } catch {
        // The server is away, or the watch was cut: faults are what this is about, and the next list tells.
        if (!signal.aborted) await pause(AGAIN_MILLISECONDS);
      }
    }
  }

  #judgeGear(gear: Read): void {
    const { uid, generation } = gear.metadata;
    const seen = this.#seenOf(uid);
    seen.values.set(generation, number(gear.spec.value));
    if (gear.status === undefined) return;
    const { observedGeneration, product, factor } = gear.status;
    if (typeof observedGeneration !== "number" || typeof factor !== "number") return;
    this.answers += 1;
    const say = (what: string): void => void this.findings.push(`Gear ${placeOf(gear)}: ${what}`);
    if (observedGeneration > generation) say(`observed ${observedGeneration} of ${generation}`);
    if (observedGeneration < seen.observed)
      say(`went back from generation ${seen.observed} to ${observedGeneration}`);
    if (observedGeneration === seen.observed && factor < seen.factor)
      say(`went back from factor ${seen.factor} to ${factor}`);
    const value = seen.values.get(observedGeneration);
    if (value !== undefined && number(product) !== value * factor)
      say(`says ${String(product)} where generation ${observedGeneration} asks for ${value} × ${factor}`);
    seen.observed = Math.max(seen.observed, observedGeneration);
    seen.factor = factor;
    for (const known of seen.values.keys()) if (known < observedGeneration) seen.values.delete(known);
  }

  #judgeChild(map: Read): void {
    const owner = map.metadata.ownerReferences[0]?.uid;
    if (map.metadata.labels[PART] !== "child" || owner === undefined) return;
    const seen = this.#seenOf(owner);
    const generation = Number(map.data.generation);
    if (generation < seen.child)
      this.findings.push(`ConfigMap ${placeOf(map)} went back from ${seen.child} to ${generation}`);
    seen.child = Math.max(seen.child, generation);
  }

  #seenOf(uid: string): Seen {
    const known = this.#seen.get(uid) ?? { observed: 0, factor: 0, child: 0, values: new Map() };
    this.#seen.set(uid, known);
    return known;
  }
}
