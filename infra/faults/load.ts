import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../shared/kube/kind.ts";
import { Namespace } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { eventually } from "../testing/eventually.ts";
import { Factor, Gear, type poisons } from "./gear-kinds.ts";
import { MIRRORS } from "./gear-names.ts";

const NAMESPACES = ["north", "south"] as const;
const FACTOR = "factor";
const GEARS = resourceOf(Gear);

/** The wishes that a Gear may be given beside its value. */
export interface GearWish {
  readonly poison?: (typeof poisons)[number];
  readonly takesMilliseconds?: number;
}

/**
 * The users of a site: they make, change and delete Gears and Factors. The load writes to the API server itself, never through a
 * proxy.
 */
export class GearLoad {
  /** Changes that were accepted. */
  changes = 0;
  readonly #client: KubeClient;
  #value = 1;
  /**
   * The greatest value that both Factors were last given. It never goes back, so that a status that goes back was written from an
   * old read.
   */
  #factor = 2;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Makes the namespaces, a Factor in each, and one Gear. */
  async prepare(): Promise<void> {
    for (const name of [...NAMESPACES, MIRRORS]) await this.#apply(Namespace, { name }, {});
    for (const namespace of NAMESPACES) await this.factor(namespace, this.#factor);
    await this.gear("north/anchor");
    await this.gear("south/anchor");
  }

  /** Makes the Gear, or gives it another value. */
  async gear(place: string, wish: GearWish = {}): Promise<void> {
    const [namespace = "", name = ""] = place.split("/");
    await this.#apply(Gear, { namespace, name }, { spec: { value: this.#value++, factor: FACTOR, ...wish } });
  }

  async factor(namespace: string, value: number): Promise<void> {
    await this.#apply(Factor, { namespace, name: FACTOR }, { spec: { value } });
  }

  async remove(place: string): Promise<void> {
    const [namespace = "", name = ""] = place.split("/");
    await this.#client.delete(GEARS, { namespace, name }, { uid: undefined });
  }

  /** Makes the Gear anew as soon as the one that is being deleted is gone. */
  async made(place: string): Promise<void> {
    const [namespace = "", name = ""] = place.split("/");
    await eventually(`${place} to be gone`, async () => {
      const live = await this.#client.get(GEARS, { namespace, name });
      return live?.metadata.deletionTimestamp === undefined;
    });
    await this.gear(place);
  }

  /** `count` Gears made or changed, spread over the namespaces, one after the other. */
  async change(count: number): Promise<void> {
    for (let at = 0; at < count; at++) await this.gear(`${NAMESPACES[at % NAMESPACES.length]}/gear-${at}`);
  }

  /**
   * Changes of all sorts until the signal is aborted. What is refused because the server is away, or because another change was
   * faster, is left out.
   */
  async stream(signal: AbortSignal, random: () => number, pauseOf: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const namespace = random() < 0.5 ? "north" : "south";
      const place = `${namespace}/gear-${Math.floor(random() * 20)}`;
      const chance = random();
      try {
        if (chance < 0.05) await this.factor(namespace, ++this.#factor);
        else if (chance < 0.15) await this.remove(place);
        else await this.gear(place);
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
      }
      await pauseOf();
    }
  }

  async #apply(kind: Kind, place: { namespace?: string; name: string }, fields: object): Promise<void> {
    const resource: Resource = resourceOf(kind);
    const body: KubeObject = {
      apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: { ...place },
      ...fields,
    };
    await this.#client.apply(resource, place, body, { fieldManager: "user", force: true });
    this.changes += 1;
  }
}
