import type { Following } from "../../../shared/function/following.ts";
import type { Simulation, SimulationTools } from "../../../shared/function/simulation.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { type At, ClusterPlayer } from "./cluster.ts";
import { bringKinds } from "./crds.ts";
import { Extensions } from "./extensions.ts";
import { ImagePlayer } from "./images.ts";
import { ProviderPlayer } from "./provider.ts";
import { CLUSTER_CLASSES, CLUSTERS, EXTENSION_CONFIGS, NODE_IMAGES, PROVIDER_RELEASES } from "./resources.ts";

/** The bounds of what is played. */
export interface ClusterApiOptions {
  /** The time that machines, images and roll-outs take; default 1 s. */
  readonly delayMilliseconds?: number;
  /** The kind of the provider's release objects; default DockerClusterStackRelease. */
  readonly providerReleases?: Resource;
  /** The time after the start in which hooks wait for an ExtensionConfig; default none. */
  readonly graceMilliseconds?: number;
}

/** An image, and the releases that share it. */
interface OwnedImage extends At {
  readonly owners: readonly string[];
}

const DELAY = 1000;
const KUBECONFIG = "-kubeconfig";

/**
 * Plays Cluster API and a provider of node images as ordinary clients, so on any API server: brings their kinds where nobody has, makes
 * Clusters of classes, and asks runtime hooks. Goes on from what it finds in the objects. Resolves when it has seen all there is.
 */
export async function playClusterApi(
  tools: SimulationTools,
  {
    delayMilliseconds = DELAY,
    providerReleases = PROVIDER_RELEASES,
    graceMilliseconds = 0,
  }: ClusterApiOptions = {},
): Promise<Simulation> {
  const { client, follow, queue } = tools;
  await bringKinds(client);
  const extensions = new Extensions(tools, graceMilliseconds);
  const clusters = new ClusterPlayer(tools, extensions, delayMilliseconds);
  const images = new ImagePlayer(tools, delayMilliseconds);
  const provider = new ProviderPlayer(tools, images, providerReleases, delayMilliseconds);
  const players: Readonly<Record<string, { play(at: At): Promise<number | undefined> }>> = {
    cluster: clusters,
    image: images,
    provider,
  };
  const known = new Map<string, At>();

  const work = queue(async (key) => {
    const [part = "", namespace = "", name = ""] = key.split("/");
    if (part === "extension") return extensions.discover(name);
    const again = await players[part]?.play({ namespace, name });
    if (again !== undefined) work.addAt(key, again);
  });
  const keyOf = (part: string, { namespace, name }: At): string => `${part}/${namespace}/${name}`;
  const placeOf = ({
    metadata,
  }: {
    readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
  }): At => ({
    namespace: metadata.namespace ?? "",
    name: metadata.name,
  });
  const all = (): void => {
    for (const key of known.keys()) work.add(key);
  };
  const following: readonly Following[] = [
    follow<At>({
      client,
      resource: CLUSTERS,
      keep: placeOf,
      changed: (at) => {
        known.set(keyOf("cluster", at), at);
        work.add(keyOf("cluster", at));
      },
      deleted: (at) => known.delete(keyOf("cluster", at)),
    }),
    follow<At>({ client, resource: CLUSTER_CLASSES, keep: placeOf, changed: all }),
    follow<At>({
      client,
      resource: resourceOf(Secret),
      keep: placeOf,
      changed: ({ namespace, name }) => {
        const key = keyOf("cluster", { namespace, name: name.slice(0, -KUBECONFIG.length) });
        if (name.endsWith(KUBECONFIG) && known.has(key)) work.add(key);
      },
    }),
    follow<At>({
      client,
      resource: EXTENSION_CONFIGS,
      keep: placeOf,
      changed: (at) => work.add(keyOf("extension", at)),
    }),
    follow<At>({
      client,
      resource: providerReleases,
      keep: placeOf,
      changed: (at) => work.add(keyOf("provider", at)),
    }),
    follow<OwnedImage>({
      client,
      resource: NODE_IMAGES,
      keep: (object) => ({
        ...placeOf(object),
        owners: (object.metadata.ownerReferences ?? []).map(({ name }) => name),
      }),
      changed: ({ owners, ...at }) => {
        work.add(keyOf("image", at));
        for (const name of owners) work.add(keyOf("provider", { ...at, name }));
      },
      deleted: ({ owners, ...at }) => {
        for (const name of owners) work.add(keyOf("provider", { ...at, name }));
      },
    }),
  ];
  await Promise.all(following.map(({ synced }) => synced));
  return {
    idle: () => work.idle(),
    stop: async () => {
      await Promise.all([...following.map((one) => one.stop()), work.stop()]);
    },
  };
}
