import * as z from "zod";
import { type Clock, systemClock } from "../clock/clock.ts";
import { jsonOf } from "../json/parse.ts";
import { RequestError } from "../requests/errors.ts";
import { bytesOf, contentOf, exchange, type Fetch, type Sent } from "../requests/exchange.ts";
import { checked } from "./checked.ts";
import {
  type Descriptor,
  DOCUMENT_BYTES,
  DOCUMENT_TYPES,
  digestOf,
  type Index,
  type Manifest,
  type ManifestOrIndex,
  manifestOrIndex,
  mediaTypeIn,
} from "./documents.ts";
import { OciError } from "./errors.ts";
import { type Actions, type Credentials, Login } from "./login.ts";
import { isDigest, isTag, type Repository } from "./names.ts";
import { refusal } from "./refusal.ts";

/** The outside of a client. */
export interface RegistryOptions {
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** For one request, its content included. Default: 60 s. */
  readonly timeoutMilliseconds?: number;
  /** Asked at each login, so that they may be renewed. Default: anonymous. */
  readonly credentials?: () => Promise<Credentials | undefined>;
}

/** The document that a tag or digest names. */
export type Document = { readonly descriptor: Descriptor } & ManifestOrIndex;

/** A blob that is wanted. Its size is checked where it is known. */
type Wanted = Pick<Descriptor, "digest"> & { readonly size?: number | undefined };

const tagsPage = z.looseObject({ tags: z.array(z.string()).nullable() });
const PAGE = 1000;
const MOST_PAGES = 200;

/** One repository of a registry, by the HTTP API of the OCI distribution specification. Whatever it gives is checked by its digest. */
export class RegistryClient {
  readonly #repository: Repository;
  readonly #fetch: Fetch;
  readonly #limits: { readonly clock: Clock; readonly timeoutMilliseconds: number };
  readonly #login: Login;

  constructor(repository: Repository, options: RegistryOptions = {}) {
    const { fetch = globalThis.fetch, clock = systemClock, timeoutMilliseconds = 60_000 } = options;
    this.#repository = repository;
    this.#fetch = fetch;
    this.#limits = { clock, timeoutMilliseconds };
    const { registry, name } = repository;
    const credentials = options.credentials ?? (async () => undefined);
    this.#login = new Login({ fetch, registry, repository: name, credentials, ...this.#limits });
  }

  /** The tags of the repository, from all pages. @throws OciError */
  async tags(): Promise<readonly string[]> {
    const tags = new Set<string>();
    const seen = new Set<string>();
    const place = `the tags of ${this.#name}`;
    let next: URL | undefined = this.#url(`tags/list?n=${PAGE}`);
    while (next !== undefined) {
      const url: URL = next;
      if (seen.has(url.href) || seen.size === MOST_PAGES)
        throw new OciError("OCI_ANSWER_INVALID", `${place}: their pages have no end`);
      seen.add(url.href);
      next = await this.#ask(
        place,
        { url, headers: { accept: "application/json" } },
        "pull",
        async (answer) => {
          const page = tagsPage.safeParse(jsonOf(textOf(await bytesOf(answer, DOCUMENT_BYTES))));
          if (!page.success)
            throw new OciError("OCI_ANSWER_INVALID", `${place}: the answer is no list of tags`);
          for (const tag of page.data.tags ?? []) tags.add(tag);
          return this.#nextPage(place, answer, url);
        },
      );
    }
    return [...tags];
  }

  /** The manifest or index of a tag or digest. @throws OciError */
  async document(reference: string): Promise<Document> {
    const place = `${reference} of ${this.#name}`;
    if (!isTag(reference) && !isDigest(reference))
      throw new OciError("OCI_NOT_FOUND", `${place}: it is neither a tag nor a digest`);
    const sent = { url: this.#url(`manifests/${reference}`), headers: { accept: DOCUMENT_TYPES.join(", ") } };
    return this.#ask(place, { ...sent, redirects: "any server" }, "pull", async (answer) => {
      const content = await bytesOf(answer, DOCUMENT_BYTES);
      const digest = digestOf(content);
      const told = [isDigest(reference) ? reference : undefined, answer.headers.get("docker-content-digest")];
      for (const one of told)
        if (one !== undefined && one !== null && isDigest(one) && one !== digest)
          throw new OciError("OCI_DIGEST_MISMATCH", `${place}: it is not what its digest says`);
      const json = jsonOf(textOf(content));
      const mediaType = mediaTypeIn(json) ?? answer.headers.get("content-type")?.split(";")[0]?.trim();
      const found: Descriptor = { digest, size: content.byteLength, ...(mediaType && { mediaType }) };
      return { descriptor: found, ...manifestOrIndex(json, { mediaType, place }) };
    });
  }

  /**
   * Hands the content of a blob to `take`, piece by piece, and ends once it is whole and is what its digest says: what `take` makes of it
   * before counts for nothing if this rejects. @throws OciError, and what `take` throws.
   */
  async blob<T>(
    wanted: Wanted,
    take: (content: AsyncIterable<Uint8Array>) => Promise<T>,
    { maximumBytes = Number.POSITIVE_INFINITY }: { readonly maximumBytes?: number } = {},
  ): Promise<T> {
    const { digest, size } = wanted;
    const place = `${digest} of ${this.#name}`;
    if (!isDigest(digest)) throw new OciError("OCI_NOT_FOUND", `${place}: it is no digest`);
    if (size !== undefined && size > maximumBytes)
      throw new OciError("OCI_TOO_LARGE", `${place}: it has ${size} bytes, ${maximumBytes} at most`);
    const sent: Sent = { url: this.#url(`blobs/${digest}`), redirects: "any server" };
    return this.#ask(place, sent, "pull", async (answer) => {
      const content = checked(contentOf(answer, maximumBytes), wanted);
      const taken = await take({ [Symbol.asyncIterator]: () => ({ next: () => content.next() }) });
      // What nobody wanted to see belongs to the digest too.
      for await (const _ of content);
      return taken;
    });
  }

  /** The content of a blob, whole. @throws OciError */
  blobBytes(wanted: Wanted, limits: { readonly maximumBytes?: number } = {}): Promise<Uint8Array> {
    return this.blob(
      wanted,
      async (content) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) pieces.push(piece);
        return Buffer.concat(pieces);
      },
      limits,
    );
  }

  /** Puts content there, unless it is there already. @throws OciError */
  async pushBlob(content: Uint8Array, mediaType: string): Promise<Descriptor> {
    const pushed = { mediaType, digest: digestOf(content), size: content.byteLength };
    const place = `${pushed.digest} of ${this.#name}`;
    const look: Sent = { url: this.#url(`blobs/${pushed.digest}`), method: "HEAD", redirects: "any server" };
    const isThere = await told(place, () => this.#request(look, "pull,push", async ({ ok }) => ok));
    if (isThere) return pushed;
    const begin: Sent = { url: this.#url("blobs/uploads/"), method: "POST", body: new Uint8Array() };
    const url = await this.#ask(place, begin, "pull,push", async ({ headers }) => {
      const there = URL.parse(headers.get("location") ?? "", this.#url("blobs/uploads/").href);
      if (there?.origin !== this.#repository.registry.origin)
        throw new OciError("OCI_ANSWER_INVALID", `${place}: the registry sends the upload to another server`);
      return there;
    });
    url.searchParams.set("digest", pushed.digest);
    const headers = { "content-type": "application/octet-stream" };
    await this.#ask(
      place,
      { url, method: "PUT", headers, body: content },
      "pull,push",
      async () => undefined,
    );
    return pushed;
  }

  /** Puts a manifest or index there under a tag, or its digest alone, once all that it names is there. @throws OciError */
  async pushManifest(
    tag: string | undefined,
    content: (Manifest | Index) & { readonly mediaType: string },
  ): Promise<Descriptor> {
    const body = Buffer.from(JSON.stringify(content));
    const reference = tag ?? digestOf(body);
    const place = `${reference} of ${this.#name}`;
    if (tag !== undefined && !isTag(tag))
      throw new OciError("OCI_NAME_INVALID", `${place}: ${JSON.stringify(tag)} cannot be a tag`);
    const { mediaType } = content;
    const headers = { "content-type": mediaType };
    const sent: Sent = { url: this.#url(`manifests/${reference}`), method: "PUT", headers, body };
    await this.#ask(place, sent, "pull,push", async () => undefined);
    return { mediaType, digest: digestOf(body), size: body.byteLength };
  }

  /** Takes a tag away, or with a digest the manifest and all its tags. Not every registry can. @throws OciError */
  async remove(reference: string): Promise<void> {
    const sent: Sent = { url: this.#url(`manifests/${reference}`), method: "DELETE" };
    await this.#ask(`${reference} of ${this.#name}`, sent, "pull,push", async () => undefined);
  }

  get #name(): string {
    return `${this.#repository.registry.host}/${this.#repository.name}`;
  }

  #url(path: string): URL {
    return new URL(`/v2/${this.#repository.name}/${path}`, this.#repository.registry);
  }

  #nextPage(place: string, { headers }: Response, from: URL): URL | undefined {
    const link = headers.get("link");
    if (link === null) return undefined;
    const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link) ?? [];
    if (target === undefined) return undefined;
    const next = URL.parse(target, from.href);
    if (next?.origin === this.#repository.registry.origin) return next;
    throw new OciError("OCI_ANSWER_INVALID", `${place}: their next page is on another server`);
  }

  /** One request, whose answer is a success. */
  #ask<T>(place: string, sent: Sent, actions: Actions, read: (answer: Response) => Promise<T>): Promise<T> {
    return told(place, () =>
      this.#request(sent, actions, async (answer) => {
        if (!answer.ok) throw refusal(place, answer, this.#limits.clock);
        return read(answer);
      }),
    );
  }

  /** One request, and again with a login where the registry asks for one. */
  async #request<T>(sent: Sent, actions: Actions, read: (answer: Response) => Promise<T>): Promise<T> {
    const known = this.#login.known(actions);
    const first = await this.#send(sent, known, async (answer) => {
      const challenges = answer.status === 401 ? answer.headers.get("www-authenticate") : null;
      return challenges === null ? { read: await read(answer) } : { challenges };
    });
    if ("read" in first) return first.read;
    const { challenges } = first;
    return this.#send(sent, await this.#login.after(challenges, actions, known), read);
  }

  #send<T>(
    sent: Sent,
    authorization: string | undefined,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> {
    const headers = { ...sent.headers, "user-agent": "reveille", ...(authorization && { authorization }) };
    return exchange(this.#fetch, { ...sent, headers }, this.#limits, read);
  }
}

const textOf = (content: Uint8Array): string => Buffer.from(content).toString("utf8");

/** Tells of a place what went wrong on the way there. */
async function told<T>(place: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const code = error.code === "REQUEST_TOO_LARGE" ? "OCI_TOO_LARGE" : "OCI_UNAVAILABLE";
    throw new OciError(code, `${place}: ${error.message}`, { cause: error });
  }
}
