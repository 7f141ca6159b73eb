import { hash } from "node:crypto";
import type { Fetch } from "../../../../shared/requests/exchange.ts";

/** A release as a test publishes it. */
export interface PlayedRelease {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly draft?: boolean;
  readonly prerelease?: boolean;
}
/** An answer in place of GitHub's own; undefined: it answers itself. */
export type Interference = (request: Request) => Response | undefined;

/** GitHub as far as a source of releases needs it, with the shapes that it answers in. No socket: a `fetch` of its own. */
export interface PlayedGithub {
  readonly fetch: Fetch;
  /** The requests that it saw; those to the host of its content too. */
  readonly seen: readonly Request[];
  put(tag: string, release: PlayedRelease): void;
  remove(tag: string): void;
  interfere(how: Interference | undefined): void;
}

const API = "https://api.github.com/repos/acme/stacks";
const CONTENT = "https://release-assets.githubusercontent.com";
const LIMITS = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "50" } as const;

/** Starts one with the repository acme/stacks, whose pages have `page` releases. */
export function playedGithub({ page = 100 }: { readonly page?: number } = {}): PlayedGithub {
  const releases = new Map<string, PlayedRelease & { readonly id: number }>();
  const contents = new Map<number, Uint8Array>();
  const seen: Request[] = [];
  let interference: Interference | undefined;
  let ids = 0;

  const shapeOf = (tag: string): Record<string, unknown> => {
    const { id, files, draft = false, prerelease = false } = releases.get(tag) ?? { id: 0, files: new Map() };
    const assets = [...files].map(([name, content], index) => ({
      id: id * 100 + index,
      name,
      label: null,
      state: "uploaded",
      size: content.byteLength,
      digest: `sha256:${hash("sha256", content, "hex")}`,
      updated_at: "2026-01-15T10:00:00Z",
      url: `https://elsewhere.example/${id * 100 + index}`,
    }));
    return {
      id,
      tag_name: tag,
      name: null,
      body: null,
      draft,
      prerelease,
      created_at: "2026-01-15T09:00:00Z",
      published_at: draft ? null : "2026-01-15T10:00:00Z",
      assets,
    };
  };
  const json = (
    request: Request,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Response => {
    const text = JSON.stringify(body);
    const etag = `W/"${hash("sha256", text, "hex")}"`;
    const all = { ...LIMITS, etag, ...headers };
    return request.headers.get("if-none-match") === etag
      ? new Response(null, { status: 304, headers: all })
      : new Response(text, { headers: { ...all, "content-type": "application/json; charset=utf-8" } });
  };
  const missing = (): Response =>
    Response.json({ message: "Not Found", status: "404" }, { status: 404, headers: LIMITS });

  const list = (request: Request, url: URL): Response => {
    // Newest first.
    const tags = [...releases.keys()].reverse();
    const at = Number(url.searchParams.get("page") ?? 1);
    const last = Math.max(1, Math.ceil(tags.length / page));
    const link = (to: number, rel: string): string =>
      `<${API}/releases?per_page=${page}&page=${to}>; rel="${rel}"`;
    const links = [
      ...(at > 1 ? [link(at - 1, "prev")] : []),
      ...(at < last ? [link(at + 1, "next"), link(last, "last")] : []),
    ];
    return json(
      request,
      tags.slice((at - 1) * page, at * page).map(shapeOf),
      links.length > 0 ? { link: links.join(", ") } : {},
    );
  };
  return {
    seen,
    put: (tag, release) => {
      ids += 1;
      releases.delete(tag);
      releases.set(tag, { ...release, id: ids });
      [...release.files.values()].forEach((content, index) => void contents.set(ids * 100 + index, content));
    },
    remove: (tag) => void releases.delete(tag),
    interfere: (how) => {
      interference = how;
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      seen.push(request);
      const instead = interference?.(request);
      if (instead !== undefined) return instead;
      const url = new URL(request.url);
      const content = contents.get(Number(url.pathname.slice(1)));
      if (url.origin === CONTENT)
        return content === undefined ? missing() : new Response(new Uint8Array(content));
      if (!request.url.startsWith(API)) return missing();
      const path = request.url.slice(API.length);
      if (path === "") return json(request, { id: 1, full_name: "acme/stacks", private: false });
      if (path.startsWith("/releases?")) return list(request, url);
      const tag = /^\/releases\/tags\/([^/?]+)$/.exec(path)?.[1];
      const named = tag === undefined ? undefined : decodeURIComponent(tag);
      const one = named === undefined ? undefined : releases.get(named);
      if (named !== undefined)
        return one === undefined || one.draft === true ? missing() : json(request, shapeOf(named));
      const id = /^\/releases\/assets\/(\d+)$/.exec(path)?.[1];
      if (id === undefined || !contents.has(Number(id))) return missing();
      return new Response(null, { status: 302, headers: { ...LIMITS, location: `${CONTENT}/${id}` } });
    },
  };
}
