import { hash } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../../../../../shared/clock/clock.ts";
import { jsonOf } from "../../../../../shared/json/parse.ts";
import {
  boundedGetBytes,
  type FailedRequest,
  type Fetch,
} from "../../../../../shared/requests/bounded-get.ts";
import { revalidated } from "../../../../../shared/requests/revalidated.ts";
import { isAsset, type ListedRelease, type Opening, type SourceFailure } from "../contract.ts";
import { absent, failed } from "./failure.ts";
import { openedRelease, tooLarge } from "./opened.ts";
import type { FoundRelease, RemoteSource } from "./paced.ts";

/** The outside of a source on GitHub. */
export interface GithubOptions {
  /** `owner/name`. */
  readonly repository: string;
  /** Default: that of github.com; `https://host/api/v3` for a server of one's own. */
  readonly api?: string | undefined;
  /** Asked at each question, so that it may be renewed. Default: anonymous, with 60 requests an hour. */
  readonly token?: () => Promise<string | undefined>;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

const release = z.looseObject({
  tag_name: z.string(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  published_at: z.string().nullish(),
});
type Release = z.output<typeof release>;
const asset = z.looseObject({
  id: z.number().int(),
  name: z.string(),
  size: z.number().int().nonnegative(),
  state: z.string(),
  digest: z.string().nullish(),
  updated_at: z.string().nullish(),
});
const whole = release.extend({ assets: z.array(asset) });
type Asset = z.output<typeof asset>;

/** Undefined: the answer is none that GitHub gives. */
type Read =
  | { readonly releases: readonly Release[]; readonly next: string | undefined }
  | { readonly release: z.output<typeof whole> }
  | { readonly repository: true }
  | undefined;

const TIMEOUT = 60_000;
const PAGE_BYTES = 16 * 2 ** 20;
const PAGE = 100;
/** GitHub lists 10,000 releases of a repository at most. */
const MOST_PAGES = 110;
/** The pause where GitHub refuses for too many requests and names no time: its own advice. */
const PAUSE = 60_000;

/** One source: the releases of a repository on GitHub, by their tags. */
export function githubReleases(source: string, options: GithubOptions): RemoteSource {
  const { fetch, clock, repository } = options;
  const api = new URL(`${(options.api ?? "https://api.github.com").replace(/\/$/, "")}/repos/${repository}`);
  const at = (path: string): URL => new URL(`${api.pathname}${path}`, api);
  const place = `source ${source} (${repository} on ${api.host})`;
  const headersOf = async (accept: string): Promise<Readonly<Record<string, string>>> => {
    const token = await options.token?.();
    return {
      accept,
      "user-agent": "reveille",
      "x-github-api-version": "2022-11-28",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
  };
  const limits = { clock, timeoutMilliseconds: TIMEOUT, maximumBytes: PAGE_BYTES };
  const pages = revalidated<Read>(fetch, limits, MOST_PAGES, ({ text, headers }) => {
    const json = jsonOf(text);
    const list = z.array(release).safeParse(json);
    if (list.success) return { releases: list.data.map(lean), next: nextOf(headers.get("link")) };
    const one = whole.safeParse(json);
    if (one.success) return { release: one.data };
    return z.looseObject({ full_name: z.string() }).safeParse(json).success
      ? { repository: true }
      : undefined;
  });
  const ask = async (url: URL) => pages(url, await headersOf("application/vnd.github+json"));

  const failure = ({ status, message, notBefore }: FailedRequest): SourceFailure => {
    const limited = status === 429 || (status === 403 && notBefore !== undefined);
    if (limited)
      return failed("limited", `${place} wants no more requests for now`, notBefore ?? clock.now() + PAUSE);
    if (status === 401) return failed("refused", `${place} refuses the token: correct it`);
    if (status === 403) return failed("refused", `${place} refuses: the token may not read its contents`);
    if (status === 404)
      return failed("refused", `${place} is not there, or the token may not see it: correct one of the two`);
    return failed("unavailable", `${place} does not answer: ${message}`, notBefore);
  };
  const strange = failed("unavailable", `${place} gave an answer that is none of GitHub's`);

  const list: RemoteSource["list"] = async () => {
    const found = new Map<string, ListedRelease>();
    const seen = new Set<string>();
    let next: URL | undefined = at(`/releases?per_page=${PAGE}`);
    while (next !== undefined) {
      if (seen.has(next.href) || seen.size === MOST_PAGES)
        return failed("unavailable", `${place}: the pages of its list have no end`);
      seen.add(next.href);
      const page = await ask(next);
      if (page.state === "failed") return failure(page);
      if (page.value === undefined || !("releases" in page.value)) return strange;
      for (const one of page.value.releases)
        if (!one.draft)
          found.set(one.tag_name, {
            tag: one.tag_name,
            ...published(one),
            ...(one.prerelease && { prerelease: true }),
          });
      const { next: link } = page.value;
      const url: URL | null | undefined = link === undefined ? undefined : URL.parse(link, next.href);
      if (url === null || (url !== undefined && url.origin !== api.origin)) return strange;
      next = url;
    }
    const releases = [...found.values()].sort((one, other) => (one.tag < other.tag ? -1 : 1));
    return { state: "listed", version: hash("sha256", JSON.stringify(releases), "hex"), releases };
  };

  const download = async ({ id, name, size, digest }: Asset): Promise<Uint8Array | Opening> => {
    const answer = await boundedGetBytes(
      fetch,
      at(`/releases/assets/${id}`),
      await headersOf("application/octet-stream"),
      { ...limits, maximumBytes: size + 1, anyServer: true },
    );
    if (answer.state === "failed") {
      if (answer.status === 404) return failed("unavailable", `${place}: ${name} is being replaced there`);
      return answer.code === "REQUEST_TOO_LARGE"
        ? damaged(`${name} has more than the ${size} bytes that GitHub says`)
        : failure(answer);
    }
    const { bytes } = answer;
    if (bytes.byteLength !== size)
      return damaged(`${name} has ${bytes.byteLength} bytes instead of the ${size} that GitHub says`);
    const said = /^sha256:([0-9a-f]{64})$/.exec(digest ?? "")?.[1];
    if (said !== undefined && hash("sha256", bytes, "hex") !== said)
      return damaged(`${name} is not what its digest says: upload it again`);
    return bytes;
  };

  const look = async (tag: string): Promise<FoundRelease | Opening> => {
    if (tag === "." || tag === "..") return absent(source, tag);
    const answer = await ask(at(`/releases/tags/${encodeURIComponent(tag)}`));
    if (answer.state === "failed") {
      if (answer.status !== 404) return failure(answer);
      const repository = await ask(at(""));
      return repository.state === "failed" ? failure(repository) : absent(source, tag);
    }
    if (answer.value === undefined || !("release" in answer.value)) return strange;
    const { release: found } = answer.value;
    if (found.draft || found.tag_name !== tag) return absent(source, tag);
    const assets = found.assets.filter(({ name }) => isAsset(name));
    const partial = assets.find(({ state }) => state !== "uploaded");
    if (partial !== undefined) return damaged(`${partial.name} was not uploaded to its end: upload it again`);
    const large = tooLarge(assets.map(({ name, size }) => [name, size]));
    if (large !== undefined) return damaged(large);
    const read = async (): Promise<Opening> => {
      const files = new Map<string, Uint8Array>();
      for (const one of assets) {
        const content = await download(one);
        if (!(content instanceof Uint8Array)) return content;
        files.set(one.name, content);
      }
      return { state: "opened", release: await openedRelease(files, published(found)) };
    };
    const stamp = assets.map(({ id, name, size, digest, updated_at }) => [
      id,
      name,
      size,
      digest,
      updated_at,
    ]);
    return { state: "found", stamp: JSON.stringify(stamp), read };
  };
  return { list, look };
}

/** The part of a listed release that is kept: its page has a hundred times that. */
const lean = ({ tag_name, draft, prerelease, published_at }: Release): Release => ({
  tag_name,
  draft,
  prerelease,
  published_at,
});

function published({ published_at }: Release): Pick<ListedRelease, "publishedAt"> {
  const time = Date.parse(published_at ?? "");
  return Number.isNaN(time) ? {} : { publishedAt: new Date(time).toISOString() };
}

const nextOf = (link: string | null): string | undefined =>
  /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link ?? "")?.[1];

const damaged = (message: string): Opening => ({ state: "damaged", message });
