import type { Clock } from "../../../../../shared/clock/clock.ts";
import { remembered } from "../../../../../shared/requests/remembered.ts";
import type { Listing, OpenedRelease, Opening, Releases, SourceFailure } from "../contract.ts";

/** A release that is there. Whatever has the same stamp has the same assets. */
export interface FoundRelease {
  readonly state: "found";
  readonly stamp: string;
  /** Reads the assets. */
  read(): Promise<Opening>;
}
type Listed = Extract<Listing, { state: "listed" }> | SourceFailure;

/** A source beyond the network, asked for everything that it has. */
export interface RemoteSource {
  list(): Promise<Listed>;
  look(tag: string): Promise<FoundRelease | Opening>;
}

/** The time for which a list, and an opened release, stand for all who ask: a little less than that between two polls. */
export const STANDS = 4 * 60_000;
/** The time for which a failure stands. */
const FAILURE_STANDS = 10_000;
/** The most bytes of opened releases that are kept. */
const MOST_KEPT = 64 * 2 ** 20;

interface Held<Answer> {
  readonly answer: Answer;
  readonly news: string | undefined;
  readonly until: number;
}

/** A release that was read: `turn` says how early it was asked for. */
interface Kept extends Held<OpenedRelease> {
  readonly stamp: string;
  readonly bytes: number;
  readonly turn: number;
}

/**
 * One list of a source for all who ask, and one reading of a release: its assets are read again once they are others. When the source has
 * named a time, it is asked nothing before then, whatever the news: everybody is told what it said.
 */
export function paced(remote: RemoteSource, clock: Clock): Releases {
  let limit: { readonly failure: SourceFailure; readonly until: number } | undefined;
  let list: Held<Extract<Listing, { state: "listed" }>> | undefined;
  const kept = new Map<string, Kept>();
  const opening = new Map<string, { readonly answer: Promise<Opening>; readonly news: string | undefined }>();
  let turns = 0;

  const limited = (): SourceFailure | undefined =>
    limit !== undefined && clock.now() < limit.until ? limit.failure : undefined;
  /** Asks, and notes when the source wants to be asked again. */
  const noted = async <Answer extends { readonly state: string }>(
    asked: Promise<Answer | SourceFailure>,
  ): Promise<Answer | SourceFailure> => {
    const answer = await asked;
    if (isFailure(answer) && answer.notBefore !== undefined)
      limit = { failure: answer, until: Date.parse(answer.notBefore) };
    return answer;
  };
  const stands = (held: Held<unknown> | undefined, news: string | undefined): boolean =>
    held !== undefined && clock.now() < held.until && (news === undefined || news === held.news);
  const asked = remembered(clock, FAILURE_STANDS, () => noted<Listed>(remote.list()));

  const keep = (tag: string, one: Pick<Kept, "stamp" | "answer" | "news" | "turn">): void => {
    // Who asked later, and was answered sooner, knows better.
    if ((kept.get(tag)?.turn ?? 0) > one.turn) return;
    kept.delete(tag);
    kept.set(tag, { ...one, until: clock.now() + STANDS, bytes: bytesOf(one.answer) });
    let bytes = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [oldest, one] of kept) {
      if (bytes <= MOST_KEPT) break;
      kept.delete(oldest);
      bytes -= one.bytes;
    }
  };
  const open = async (tag: string, news: string | undefined): Promise<Opening> => {
    turns += 1;
    const turn = turns;
    const found = await remote.look(tag);
    if (found.state !== "found") return found;
    const known = kept.get(tag);
    const answer: Opening =
      known?.stamp === found.stamp ? { state: "opened", release: known.answer } : await found.read();
    if (answer.state === "opened") keep(tag, { stamp: found.stamp, answer: answer.release, news, turn });
    return answer;
  };
  /** One question for all who ask meanwhile; who brings news is not told what was asked before it. */
  const openedOnce = (tag: string, news: string | undefined): Promise<Opening> => {
    const running = opening.get(tag);
    if (running !== undefined && (news === undefined || news === running.news)) return running.answer;
    const answer = noted<Opening>(open(tag, news)).finally(() => {
      if (opening.get(tag)?.answer === answer) opening.delete(tag);
    });
    opening.set(tag, { answer, news });
    return answer;
  };

  return {
    list: async (_, { known, news } = {}) => {
      let held = list;
      if (held === undefined || !stands(held, news)) {
        const answer = limited() ?? (await asked("", news));
        if (answer.state === "failed") return answer;
        held = { answer, news, until: clock.now() + STANDS };
        list = held;
      }
      return held.answer.version === known ? { state: "unchanged" } : held.answer;
    },
    open: async (_, tag, { news } = {}) => {
      const known = kept.get(tag);
      if (known !== undefined && stands(known, news)) return { state: "opened", release: known.answer };
      return limited() ?? openedOnce(tag, news);
    },
  };
}

const isFailure = (answer: { readonly state: string }): answer is SourceFailure => answer.state === "failed";

function bytesOf({ files, archives }: OpenedRelease): number {
  const sum = (contents: ReadonlyMap<string, Uint8Array>): number =>
    [...contents.values()].reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  return [...archives.values()].reduce(
    (bytes, archive) => bytes + ("files" in archive ? sum(archive.files) : 0),
    sum(files),
  );
}
