import type { KubeClient, ListPage } from "../../shared/kube/client.ts";
import { isTooLarge, KubeError } from "../../shared/kube/errors.ts";
import { PageSize } from "../../shared/kube/page-size.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";

/** Items of one page at most. Whole objects are read in smaller ones: a page is parsed in one piece. */
const MOST = { metadata: 500, whole: 100 } as const;

/**
 * All pages of a kind. Where a continue token expires the list begins anew once, and then goes on at a newer version; a page that is
 * too large is asked for in smaller ones.
 */
export async function* pagesOf(
  client: KubeClient,
  watched: WatchedKind,
  options: {
    readonly namespace: string | undefined;
    readonly metadataOnly: boolean;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<ListPage, void, void> {
  const size = new PageSize(options.metadataOnly ? MOST.metadata : MOST.whole, options.metadataOnly);
  let next: string | undefined;
  let restarted = false;
  for (;;) {
    let page: ListPage;
    try {
      page = await client.list(watched, {
        ...options,
        labelSelector: watched.labelSelector,
        limit: size.limit,
        mostWeight: size.mostWeight,
        continue: next,
      });
    } catch (error) {
      if (isTooLarge(error) && size.halve()) continue;
      if (next === undefined || !(error instanceof KubeError) || error.kind !== "expired") throw error;
      next = restarted ? goOnToken(error) : undefined;
      if (restarted && next === undefined) throw error;
      restarted = true;
      continue;
    }
    size.came(page.items.length, page.weight);
    yield page;
    next = page.metadata.continue;
    if (next === undefined) return;
  }
}

/** The token that comes with an expired continue token, and goes on at a newer version. */
const goOnToken = (error: KubeError): string | undefined =>
  (error.status as { readonly metadata?: { readonly continue?: string } } | undefined)?.metadata?.continue;
