import { pause } from "./pause.ts";
import { type Stored, statusOf, Unsure, type Wire } from "./wire.ts";

const TRIES = 20;
const PAUSE_MILLISECONDS = 200;
/** The JetStream API's code for an empty answer. */
const NO_MESSAGE = 10037;
const LAG_TRIES = 5;
const LAG_MILLISECONDS = 50;

export interface TailParts {
  readonly wire: Pick<Wire, "list" | "request">;
  readonly stream: string;
  /** The subject that is followed; wildcards may stand in it. */
  readonly subject: string;
  readonly take: (stored: Stored) => void;
  /** The stream was made anew: its numbers begin again, and say nothing of those before. */
  readonly forgotten: () => void;
  /** The most messages of the whole stream that it looks back. Default: to the beginning. */
  readonly reach?: number | undefined;
  /** It begins to read here: what lies before is not known where that is more than one beyond what was read last. */
  readonly begins?: ((from: number, seen: number) => void) | undefined;
  /** True where all is to be read anew, since messages may have come and gone unseen: a look begins. */
  readonly isStale?: (() => boolean) | undefined;
  /** A look has come to its end; false where the servers that were asked lag behind. */
  readonly read?: ((isWhole: boolean) => void) | undefined;
}

/** Follows the messages under a subject for those who ask: all that stands there when they ask is read, and no sooner. */
export class Tail {
  readonly #parts: TailParts;
  #seen = 0;
  #looking: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(parts: TailParts) {
    this.#parts = parts;
  }

  /** Resolves when all that was stored before this call is known. One look serves all who ask while another is under way. */
  caughtUp(): Promise<void> {
    if (this.#looking === undefined) {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    }
    this.#next ??= this.#looking.then(
      () => this.#again(),
      () => this.#again(),
    );
    return this.#next;
  }

  forget(): void {
    this.#seen = 0;
    this.#parts.forgotten();
  }

  #again(): Promise<void> {
    this.#next = undefined;
    return this.caughtUp();
  }

  async #look(): Promise<void> {
    const { wire, stream, subject, take, reach, begins, isStale, read } = this.#parts;
    if (isStale?.() === true) this.#seen = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        const last = await this.#lastSequence();
        // A stream that was made anew begins again.
        if (last < this.#seen) this.forget();
        if (last === this.#seen) return read?.(true);
        const from = Math.max(this.#seen + 1, reach === undefined ? 1 : last - reach);
        begins?.(from, this.#seen);
        for await (const stored of wire.list(stream, subject, { from })) {
          take(stored);
          this.#seen = stored.seq;
        }
        // The newest message stands until it is replaced: without it a server was asked that lags behind.
        if (this.#seen < last && attempt < LAG_TRIES) {
          await pause(LAG_MILLISECONDS);
          continue;
        }
        const isWhole = this.#seen >= last;
        this.#seen = Math.max(this.#seen, last);
        return read?.(isWhole);
      } catch (thrown) {
        if (!(thrown instanceof Unsure) || attempt === TRIES) throw thrown;
        await pause(PAUSE_MILLISECONDS);
      }
    }
  }

  async #lastSequence(): Promise<number> {
    const { wire, stream, subject } = this.#parts;
    const newest = JSON.stringify({ last_by_subj: subject });
    // Asked of the leader: another server may lag behind what was acknowledged.
    const answer = await wire.request(`$JS.API.STREAM.MSG.GET.${stream}`, newest);
    if (statusOf(answer) !== 0) throw new Unsure(`the newest message of ${stream}`);
    const { message, error } = answer.json<{
      readonly message?: { readonly seq?: number };
      readonly error?: { readonly err_code?: number };
    }>();
    if (error?.err_code === NO_MESSAGE) return 0;
    if (message?.seq === undefined) throw new Unsure(`the newest message of ${stream}`);
    return message.seq;
  }
}
