import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import { foundAnyhow } from "../../kube/cluster-names.ts";
import type { Log } from "../../log/log.ts";
import type { WaitedObject } from "../contract.ts";
import { followedIn } from "../followed.ts";
import { keyName, objectName } from "../key-name.ts";
import type { StateStore } from "./store.ts";

/** A table tells nobody what was written to it: it is asked. */
const ASK_MILLISECONDS = 10_000;

interface WaitNewsParts {
  readonly store: Pick<StateStore, "followed">;
  readonly clock: Clock;
  readonly log: Log;
  readonly tell: (objects: readonly WaitedObject[]) => void;
}

/** Learns what keys wait for by asking the table, every ten seconds while somebody listens. */
export class WaitNews {
  readonly #parts: WaitNewsParts;
  #known: ReadonlySet<string> | undefined;
  #listening = false;
  #cancel: (() => void) | undefined;

  constructor(parts: WaitNewsParts) {
    this.#parts = parts;
  }

  /** All of it. Several ask, each for a part of it: what is new in an answer is told to all who listen. */
  async ask(): Promise<readonly WaitedObject[]> {
    const { now, added, isFirst } = await this.#look();
    if (this.#listening && !isFirst && added.length > 0) this.#parts.tell(followedIn(added));
    return followedIn(now);
  }

  /** Begins to listen; twice is once. */
  listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#later();
  }

  close(): void {
    this.#listening = false;
    this.#cancel?.();
  }

  #later(): void {
    if (this.#listening) this.#cancel = this.#parts.clock.after(ASK_MILLISECONDS, () => void this.#tell());
  }

  async #tell(): Promise<void> {
    const { log, tell } = this.#parts;
    try {
      const { added } = await this.#look();
      if (this.#listening && added.length > 0) tell(followedIn(added));
    } catch (thrown) {
      log.warn({ error: messageOf(thrown) }, "what keys wait for could not be asked; it is asked again");
    }
    this.#later();
  }

  async #look(): Promise<{
    readonly now: readonly WaitedObject[];
    readonly added: readonly WaitedObject[];
    readonly isFirst: boolean;
  }> {
    const found = (await this.#parts.store.followed()).map(({ key, object }) => ({
      pair: `${keyName(key)}\n${objectName(object)}`,
      // A note may be older than what its key found.
      object: foundAnyhow(object),
    }));
    const known = this.#known;
    this.#known = new Set(found.map(({ pair }) => pair));
    return {
      now: found.map(({ object }) => object),
      added: found.flatMap(({ pair, object }) => (known?.has(pair) === true ? [] : [object])),
      isFirst: known === undefined,
    };
  }
}
