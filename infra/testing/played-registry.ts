import { hash } from "node:crypto";
import type { Fetch } from "../../shared/requests/exchange.ts";

/** An answer in place of the registry's own; undefined: it answers itself. */
export type Interference = (request: Request) => Response | undefined;

/** A registry of the OCI distribution specification in memory, as a `fetch` of its own: no socket, any host over https. */
export interface PlayedRegistry {
  readonly fetch: Fetch;
  /** The requests that it saw, and their headers. */
  readonly seen: readonly Request[];
  /** Has another answer in its place until it is called with undefined. */
  interfere(how: Interference | undefined): void;
}

interface Stored {
  readonly blobs: Map<string, Buffer>;
  readonly manifests: Map<string, { readonly content: Buffer; readonly mediaType: string }>;
  readonly tags: Map<string, string>;
}

const digestOf = (content: Uint8Array): string => `sha256:${hash("sha256", content, "hex")}`;
const missing = (code: string): Response => Response.json({ errors: [{ code }] }, { status: 404 });

/** Starts one that holds nothing. Pages of tags have `page` entries. */
export function playedRegistry({ page = 2 }: { readonly page?: number } = {}): PlayedRegistry {
  const repositories = new Map<string, Stored>();
  const seen: Request[] = [];
  let interference: Interference | undefined;
  const repositoryOf = (name: string): Stored => {
    const known = repositories.get(name);
    if (known !== undefined) return known;
    const made: Stored = { blobs: new Map(), manifests: new Map(), tags: new Map() };
    repositories.set(name, made);
    return made;
  };

  const tags = (name: string, url: URL): Response => {
    const stored = repositories.get(name);
    if (stored === undefined) return missing("NAME_UNKNOWN");
    const last = url.searchParams.get("last") ?? "";
    const after = [...stored.tags.keys()].sort().filter((tag) => tag > last);
    const shown = after.slice(0, page);
    const link = `</v2/${name}/tags/list?last=${shown.at(-1)}&n=${page}>; rel="next"`;
    return Response.json({ name, tags: shown }, { headers: after.length > page ? { link } : {} });
  };
  const manifests = async (name: string, reference: string, request: Request): Promise<Response> => {
    if (request.method === "PUT") {
      const content = Buffer.from(await request.arrayBuffer());
      const { tags, manifests } = repositoryOf(name);
      manifests.set(digestOf(content), { content, mediaType: request.headers.get("content-type") ?? "" });
      tags.set(reference, digestOf(content));
      return new Response(null, { status: 201 });
    }
    const stored = repositories.get(name);
    if (request.method === "DELETE")
      return new Response(null, { status: stored?.tags.delete(reference) ? 202 : 404 });
    const digest = stored?.tags.get(reference) ?? reference;
    const found = stored?.manifests.get(digest);
    if (found === undefined) return missing("MANIFEST_UNKNOWN");
    const headers = { "content-type": found.mediaType, "docker-content-digest": digest };
    return new Response(new Uint8Array(found.content), { headers });
  };
  const blobs = async (name: string, digest: string, request: Request, url: URL): Promise<Response> => {
    const path = url.pathname;
    if (request.method === "POST")
      return new Response(null, { status: 202, headers: { location: `${path}some-upload?state=1` } });
    if (request.method === "PUT") {
      const content = Buffer.from(await request.arrayBuffer());
      const said = url.searchParams.get("digest") ?? "";
      if (said !== digestOf(content)) return Response.json({}, { status: 400 });
      repositoryOf(name).blobs.set(said, content);
      return new Response(null, { status: 201 });
    }
    const found = repositories.get(name)?.blobs.get(digest);
    if (found === undefined) return missing("BLOB_UNKNOWN");
    return new Response(request.method === "HEAD" ? null : new Uint8Array(found));
  };

  return {
    seen,
    interfere: (how) => {
      interference = how;
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      seen.push(request.clone());
      const instead = interference?.(request);
      if (instead !== undefined) return instead;
      const url = new URL(request.url);
      const [, name = "", sort = "", reference = ""] =
        /^\/v2\/(.+)\/(tags|manifests|blobs)\/(.*)$/.exec(url.pathname) ?? [];
      if (sort === "tags") return tags(name, url);
      if (sort === "manifests") return manifests(name, reference, request);
      return sort === "blobs" ? blobs(name, reference, request, url) : missing("UNSUPPORTED");
    },
  };
}
