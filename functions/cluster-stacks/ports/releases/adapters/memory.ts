import { hash } from "node:crypto";
import type { Clock } from "../../../../../shared/clock/clock.ts";
import { systemClock } from "../../../../../shared/clock/clock.ts";
import type { Asking, ListedRelease, Listing, Opening, Releases, SourceFailure } from "../contract.ts";
import { openedRelease } from "./opened.ts";

/** The files of a release as tests write them. */
export type FilesByName = Readonly<Record<string, string | Uint8Array>>;

/** Releases in memory, for tests and samples. */
export interface MemoryReleases extends Releases {
  put(
    tag: string,
    files: FilesByName,
    more?: { readonly publishedAt?: string; readonly source?: string; readonly formerDigest?: string },
  ): void;
  remove(tag: string, source?: string): void;
  /** Has a source list nothing but these tags, whatever is there; undefined: all that are there. */
  lists(tags: readonly string[] | undefined, source?: string): void;
  /** Has a source fail until it is called without a failure. */
  fails(failure?: Omit<SourceFailure, "state">, source?: string): void;
  /** Has a source answer to this token alone; undefined: to everybody. */
  wants(token: string | undefined, source?: string): void;
  /** Has the assets of a tag be damaged until it is called without a sentence. */
  damages(tag: string, message?: string, source?: string): void;
  /** Forgets all sources but an empty `default`. */
  clear(): void;
  /** The questions that were asked of the sources themselves: `list default`, `open default TAG`. */
  readonly asked: readonly string[];
}

interface Stored extends ListedRelease {
  readonly formerDigest: string | undefined;
  readonly files: ReadonlyMap<string, Uint8Array>;
}
interface Source {
  readonly releases: Map<string, Stored>;
  readonly damaged: Map<string, string>;
  listed: readonly string[] | undefined;
  failure: SourceFailure | undefined;
  token: string | undefined;
}

const DEFAULT = "default";
const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

/** The source `default` is there from the start. */
export function memoryReleases({ clock = systemClock }: { readonly clock?: Clock } = {}): MemoryReleases {
  const sources = new Map<string, Source>();
  const asked: string[] = [];
  const sourceOf = (name = DEFAULT): Source => {
    const known = sources.get(name);
    if (known !== undefined) return known;
    const made: Source = {
      releases: new Map(),
      damaged: new Map(),
      listed: undefined,
      failure: undefined,
      token: undefined,
    };
    sources.set(name, made);
    return made;
  };
  sourceOf();
  const unanswered = (
    name: string,
    question: string,
    { notBefore, credentials }: Asking,
  ): SourceFailure | { readonly state: "not due" } | undefined => {
    if (notBefore !== undefined && clock.now() < Date.parse(notBefore)) return { state: "not due" };
    const source = sources.get(name);
    if (source === undefined)
      return { state: "failed", reason: "unknown source", message: `no source ${name} is configured` };
    asked.push(question);
    const token = credentials !== undefined && "token" in credentials ? credentials.token : undefined;
    if (source.token !== undefined && source.token !== token)
      return { state: "failed", reason: "refused", message: `source ${name} refuses the token: correct it` };
    return source.failure;
  };
  const list = async (name: string, asking: Parameters<Releases["list"]>[1] = {}): Promise<Listing> => {
    const failed = unanswered(name, `list ${name}`, asking);
    if (failed !== undefined) return failed;
    const { releases, listed } = sourceOf(name);
    const tags = listed ?? [...releases.keys()];
    const all = tags.map((tag) => ({ tag, publishedAt: releases.get(tag)?.publishedAt }));
    const version = hash("sha256", JSON.stringify(all), "hex");
    return version === asking.known ? { state: "unchanged" } : { state: "listed", version, releases: all };
  };
  const open = async (name: string, tag: string, asking: Asking = {}): Promise<Opening> => {
    const failed = unanswered(name, `open ${name} ${tag}`, asking);
    if (failed !== undefined) return failed;
    const source = sourceOf(name);
    const damage = source.damaged.get(tag);
    if (damage !== undefined) return { state: "damaged", message: damage };
    const stored = source.releases.get(tag);
    if (stored === undefined) return { state: "absent", message: `source ${name} has no release ${tag}` };
    const { files, publishedAt, formerDigest } = stored;
    return { state: "opened", release: await openedRelease(files, { publishedAt, formerDigest }) };
  };
  return {
    put: (tag, files, { publishedAt, source, formerDigest } = {}) =>
      void sourceOf(source).releases.set(tag, {
        ...{ tag, publishedAt, formerDigest },
        files: new Map(Object.entries(files).map(([name, content]) => [name, bytesOf(content)])),
      }),
    remove: (tag, source) => void sourceOf(source).releases.delete(tag),
    lists: (tags, source) => {
      sourceOf(source).listed = tags;
    },
    fails: (failure, source) => {
      sourceOf(source).failure = failure && { state: "failed", ...failure };
    },
    wants: (token, source) => {
      sourceOf(source).token = token;
    },
    damages: (tag, message, source) => {
      const { damaged } = sourceOf(source);
      if (message === undefined) damaged.delete(tag);
      else damaged.set(tag, message);
    },
    clear: () => {
      sources.clear();
      sourceOf();
    },
    asked,
    list,
    open,
  };
}
