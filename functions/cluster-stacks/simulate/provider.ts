import type { SimulationTools } from "../../../shared/function/simulation.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import type { At } from "./cluster.ts";
import { PLAYER } from "./resources.ts";

/** Plays the provider of node images: its work for a release is done after a moment. */
export class ProviderPlayer {
  readonly #tools: Pick<SimulationTools, "client" | "clock">;
  readonly #resource: Resource;
  readonly #delay: number;
  readonly #begun = new Map<string, number>();

  constructor(
    tools: Pick<SimulationTools, "client" | "clock">,
    resource: Resource,
    delayMilliseconds: number,
  ) {
    this.#tools = tools;
    this.#resource = resource;
    this.#delay = delayMilliseconds;
  }

  /** Looks at a release; resolves with the time at which to look again, if any. */
  async play(at: At): Promise<number | undefined> {
    const { client, clock } = this.#tools;
    const found = await client.get(this.#resource, at);
    if (found === undefined || fieldOf(found.status, "ready") === true) return undefined;
    const uid = found.metadata.uid ?? "";
    const due = (this.#begun.get(uid) ?? clock.now()) + this.#delay;
    if (!this.#begun.has(uid)) this.#begun.set(uid, clock.now());
    if (due > clock.now()) return due;
    await client.patch(
      this.#resource,
      at,
      "merge",
      { status: { ready: true } },
      {
        fieldManager: PLAYER,
        subresource: "status",
      },
    );
    this.#begun.delete(uid);
    return undefined;
  }
}
