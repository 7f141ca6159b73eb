import { isRecord } from "../../json/fields.ts";
import type { ListOptions, ListPage, Place, Resource } from "../client.ts";
import { isTooLarge, KubeError } from "../errors.ts";
import { apiVersionOf, type KubeObject } from "../object.ts";
import { PageSize } from "../page-size.ts";
import type { Calls } from "./calls.ts";
import { foreignAnswer, isObject } from "./foreign.ts";
import { collectionPath, listQuery, objectPath } from "./urls.ts";

/** The forms in which answers are asked for. */
export const ACCEPTS = {
  object: "application/json",
  metadata: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  metadataList: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
} as const;

/** Objects of one page at most. */
const LARGEST_PAGE = 500;

/** The methods of `KubeClient` that read, over HTTP. */
export class Reads {
  readonly #calls: Pick<Calls, "json" | "sized">;
  /** The objects that a page of each kind held at last, by their collection. */
  readonly #limits = new Map<string, number>();
  constructor(calls: Pick<Calls, "json" | "sized">) {
    this.#calls = calls;
  }

  async get(
    resource: Resource,
    place: Place,
    options: {
      readonly resourceVersion?: string;
      readonly metadataOnly?: boolean;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<KubeObject | undefined> {
    const path = objectPath(resource, place);
    try {
      const answer = await this.#calls.json({
        verb: "get",
        method: "GET",
        path:
          options.resourceVersion === undefined ? path : `${path}?resourceVersion=${options.resourceVersion}`,
        accept: options.metadataOnly ? ACCEPTS.metadata : ACCEPTS.object,
        signal: options.signal,
        repeatable: true,
        write: false,
      });
      if (!isObject(answer) || typeof answer.metadata.name !== "string")
        throw foreignAnswer(`GET ${path}`, "no object");
      return nameKind(answer, resource, apiVersionOf(resource));
    } catch (error) {
      if (error instanceof KubeError && error.kind === "missing") return undefined;
      throw error;
    }
  }

  async list(resource: Resource, options: ListOptions = {}): Promise<ListPage> {
    const path = collectionPath(resource, options.namespace) + listQuery(options);
    const { value, weight } = await this.#calls.sized({
      verb: "list",
      method: "GET",
      path,
      accept: options.metadataOnly ? ACCEPTS.metadataList : ACCEPTS.object,
      gzip: true,
      mostWeight: options.mostWeight,
      signal: options.signal,
      repeatable: true,
      write: false,
    });
    if (!isPage(value)) throw foreignAnswer(`GET ${path}`, "no list");
    return pageOf(value, resource, weight);
  }

  async *pages(resource: Resource, options: ListOptions = {}): AsyncGenerator<ListPage, void, void> {
    let next = options.continue;
    let restarted = false;
    const kind = collectionPath(resource, undefined);
    const isMetadata = options.metadataOnly === true;
    const size = new PageSize(LARGEST_PAGE, isMetadata, this.#limits.get(kind));
    for (;;) {
      let page: ListPage;
      const bounds =
        options.limit === undefined ? { limit: size.limit, mostWeight: size.mostWeight } : undefined;
      try {
        page = await this.list(resource, { ...options, ...bounds, continue: next });
      } catch (error) {
        if (bounds !== undefined && isTooLarge(error) && size.halve()) continue;
        if (next === undefined || restarted || !(error instanceof KubeError) || error.kind !== "expired")
          throw error;
        restarted = true;
        next = undefined;
        continue;
      }
      const isAnew = restarted && next === undefined;
      next = page.metadata.continue;
      size.came(page.items.length, page.weight);
      if (!isMetadata) this.#limits.set(kind, size.limit);
      yield isAnew ? { ...page, restarted: true } : page;
      if (next === undefined) return;
    }
  }
}

type Mutable<T> = { -readonly [P in keyof T]: T[P] };

/** Names the kind of an object that came: items of built-in lists come without theirs, metadata-only objects under a name of their own. */
export function nameKind(object: KubeObject, resource: Resource, apiVersion: string): KubeObject {
  const named = object as Mutable<KubeObject>;
  named.apiVersion = apiVersion;
  named.kind = resource.kind;
  return named;
}

interface Page {
  readonly items: KubeObject[] | null;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** True for a list: what has no items at all is none, and no empty one. An item that is no object of Kubernetes is its reader's affair. */
const isPage = (value: unknown): value is Page =>
  isObject(value) && (value.items === null || (Array.isArray(value.items) && value.items.every(isRecord)));

function pageOf(page: Page, resource: Resource, weight: number): ListPage {
  const apiVersion = apiVersionOf(resource);
  const items = page.items ?? [];
  for (const item of items) nameKind(item, resource, apiVersion);
  const { resourceVersion, remainingItemCount } = page.metadata;
  return {
    items,
    weight,
    metadata: {
      resourceVersion,
      // The last page carries an empty token.
      ...(page.metadata.continue ? { continue: page.metadata.continue } : {}),
      ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    },
  };
}
