import type { SimulationTools } from "../../../shared/function/simulation.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import type { At } from "./cluster.ts";
import type { ImagePlayer } from "./images.ts";
import { PLAYER } from "./resources.ts";

/** Plays the provider of node images: its work for a release is done after a moment, and once all images of the release are there. */
export class ProviderPlayer {
  readonly #tools: Pick<SimulationTools, "client" | "clock">;
  readonly #images: Pick<ImagePlayer, "claim">;
  readonly #resource: Resource;
  readonly #delay: number;
  readonly #begun = new Map<string, number>();

  constructor(
    tools: Pick<SimulationTools, "client" | "clock">,
    images: Pick<ImagePlayer, "claim">,
    resource: Resource,
    delayMilliseconds: number,
  ) {
    this.#tools = tools;
    this.#images = images;
    this.#resource = resource;
    this.#delay = delayMilliseconds;
  }

  /** Looks at a release; resolves with the time at which to look again, if any. A change of one of its images leads here too. */
  async play(at: At): Promise<number | undefined> {
    const { client, clock } = this.#tools;
    const found = await client.get(this.#resource, at);
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return undefined;
    const isReady = fieldOf(found.status, "ready") === true;
    if (!(await this.#images.claim(found))) {
      if (isReady) await this.#tell(at, false);
      return undefined;
    }
    if (isReady) return undefined;
    const uid = found.metadata.uid ?? "";
    const due = (this.#begun.get(uid) ?? clock.now()) + this.#delay;
    if (!this.#begun.has(uid)) this.#begun.set(uid, clock.now());
    if (due > clock.now()) return due;
    await this.#tell(at, true);
    this.#begun.delete(uid);
    return undefined;
  }

  async #tell(at: At, ready: boolean): Promise<void> {
    await this.#tools.client.patch(
      this.#resource,
      at,
      "merge",
      { status: { ready } },
      { fieldManager: PLAYER, subresource: "status" },
    );
  }
}
