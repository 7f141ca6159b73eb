import { setTimeout as pause } from "node:timers/promises";
import type { KubeClient, Resource, WatchEvent } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";

const AGAIN_MILLISECONDS = 200;

/** An observer's view of one kind. */
export interface Sight {
  /** A change, in the server's order. */
  readonly seen: (event: WatchEvent) => void;
  /** Changes were missed: what is known of former versions no longer counts. */
  readonly missed: () => void;
}

/**
 * Watches one kind from now until the signal is aborted, whatever happens to the server. It shares no code with the watcher
 * that it is there to judge. Resolves when the signal is aborted.
 */
export async function follow(
  client: KubeClient,
  resource: Resource,
  signal: AbortSignal,
  { seen, missed }: Sight,
): Promise<void> {
  let resourceVersion: string | undefined;
  while (!signal.aborted) {
    try {
      if (resourceVersion === undefined) {
        const page = await client.list(resource, { signal });
        resourceVersion = page.metadata.resourceVersion;
        missed();
        for (const object of page.items) seen({ type: "ADDED", object });
      }
      await client.watch(resource, {
        resourceVersion,
        signal,
        silenceMilliseconds: 90_000,
        onEvent: (event) => {
          if (event.type === "ERROR") {
            resourceVersion = undefined;
            return;
          }
          resourceVersion = event.object.metadata.resourceVersion;
          if (event.type !== "BOOKMARK") seen(event);
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof KubeError)) throw error;
      if (error.kind === "expired") resourceVersion = undefined;
      else await pause(AGAIN_MILLISECONDS);
    }
  }
}
