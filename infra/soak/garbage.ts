import { setTimeout as pause } from "node:timers/promises";
import type { KubeClient, Place, Resource } from "../../shared/kube/client.ts";

const PATIENCE_MILLISECONDS = 15_000;
const LOOK_MILLISECONDS = 1_000;

interface Garbage {
  readonly resource: Resource;
  readonly place: Place;
  readonly uid: string;
}

/**
 * Does what the messages ask of an administrator: kube-controller-manager forgets the children of an owner that was deleted and
 * made again under its name while the API server was away (its informers take that for an update), so they are deleted by hand.
 * Resolves with how many those were.
 */
export async function collectForgotten(client: KubeClient, resources: readonly Resource[]): Promise<number> {
  const until = performance.now() + PATIENCE_MILLISECONDS;
  let found = await garbageOf(client, resources);
  while (found.length > 0 && performance.now() < until) {
    await pause(LOOK_MILLISECONDS);
    found = await garbageOf(client, resources);
  }
  for (const { resource, place, uid } of found) await client.delete(resource, place, { uid });
  return found.length;
}

/** Objects whose controlling owner, of one of these kinds, is gone. */
async function garbageOf(client: KubeClient, resources: readonly Resource[]): Promise<readonly Garbage[]> {
  const living = new Set<string | undefined>();
  const owned: (Garbage & { readonly owner: string })[] = [];
  const kinds = new Set(resources.map(({ kind }) => kind));
  for (const resource of resources)
    for await (const { items } of client.pages(resource, { metadataOnly: true }))
      for (const { metadata } of items) {
        living.add(metadata.uid);
        const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
        if (owner !== undefined && kinds.has(owner.kind))
          owned.push({ resource, place: metadata, uid: metadata.uid ?? "", owner: owner.uid });
      }
  return owned.filter(({ owner }) => !living.has(owner));
}
