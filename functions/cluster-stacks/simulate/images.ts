import type { SimulationTools } from "../../../shared/function/simulation.ts";
import { fieldOf, listOf, textOf } from "../../../shared/json/fields.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import type { At } from "./cluster.ts";
import { NODE_IMAGES, PLAYED_LABEL, PLAYER } from "./resources.ts";

const FINALIZER = "dockernodeimagerelease.infrastructure.clusterstack.x-k8s.io";
/** The images of the cloud that is played: a ConfigMap each. */
const CLOUD = resourceOf(ConfigMap);

/** The name of a node image's release: that of its stack, and the image with its version. Releases of one stack share it. */
const imageName = (release: string, image: string): string =>
  `${release.split("-").slice(0, 4).join("-")}-${image}`;
const inCloud = ({ name, namespace }: At): At => ({ name: `image-${name}`, namespace });

/**
 * Plays the images of a provider: one for all releases that name it, imported once, and deleted from the cloud when the last of them is
 * gone. All that it knows stands in objects.
 */
export class ImagePlayer {
  readonly #tools: Pick<SimulationTools, "client" | "clock">;
  readonly #delay: number;

  constructor(tools: Pick<SimulationTools, "client" | "clock">, delayMilliseconds: number) {
    this.#tools = tools;
    this.#delay = delayMilliseconds;
  }

  /** Makes a release one of the owners of its images; true where all of them are there. One without images has them all. */
  async claim(release: KubeObject): Promise<boolean> {
    const images = listOf(fieldOf(release.spec, "nodeImages")).flatMap((one) => textOf(one) || []);
    const claimed = await Promise.all(images.map((image) => this.#own(release, image)));
    return claimed.every(({ status }) => fieldOf(status, "ready") === true);
  }

  /** An owner is added, and nobody else's is touched: each release applies in a name of its own. */
  #own(release: KubeObject, image: string): Promise<KubeObject> {
    const { name, namespace, uid = "" } = release.metadata;
    const at = { name: imageName(name, image), namespace };
    const { apiVersion, kind } = release;
    const body = {
      apiVersion: apiVersionOf(NODE_IMAGES),
      kind: NODE_IMAGES.kind,
      metadata: { ...at, ownerReferences: [{ apiVersion, kind, name, uid }], finalizers: [FINALIZER] },
      spec: { image },
    };
    return this.#tools.client.apply(NODE_IMAGES, at, body, {
      fieldManager: `${PLAYER}-${name}`,
      force: true,
    });
  }

  /** Looks at an image; resolves with the time at which to look again, if any. */
  async play(at: At): Promise<number | undefined> {
    const { client, clock } = this.#tools;
    const found = await client.get(NODE_IMAGES, at);
    if (found === undefined) return undefined;
    if (found.metadata.deletionTimestamp !== undefined) return this.#remove(found, at);
    if (fieldOf(found.status, "ready") === true) return undefined;
    const started = Date.parse(textOf(fieldOf(found.status, "startedAt")));
    // Recorded before it begins: who comes after a death finds this import, and begins no other.
    if (Number.isNaN(started)) {
      await this.#tell(at, { ready: false, startedAt: new Date(clock.now()).toISOString() });
      return clock.now();
    }
    await this.#upload(found, at);
    const due = started + this.#delay;
    if (due > clock.now()) return due;
    await this.#tell(at, { ready: true });
    return undefined;
  }

  #upload({ spec }: KubeObject, at: At): Promise<KubeObject> {
    const place = inCloud(at);
    const labels = { [PLAYED_LABEL]: "image" };
    const data = { image: textOf(fieldOf(spec, "image")) };
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...place, labels }, data };
    return this.#tools.client.apply(CLOUD, place, body, { fieldManager: PLAYER, force: true });
  }

  async #remove({ metadata }: KubeObject, at: At): Promise<undefined> {
    const { client } = this.#tools;
    const image = await client.get(CLOUD, inCloud(at));
    if (image !== undefined) await client.delete(CLOUD, inCloud(at), { uid: image.metadata.uid });
    const finalizers = (metadata.finalizers ?? []).filter((one) => one !== FINALIZER);
    const { resourceVersion } = metadata;
    const change = { metadata: { resourceVersion, finalizers } };
    await client.patch(NODE_IMAGES, at, "merge", change, { fieldManager: PLAYER });
  }

  async #tell(at: At, status: object): Promise<void> {
    await this.#tools.client.patch(
      NODE_IMAGES,
      at,
      "merge",
      { status },
      { fieldManager: PLAYER, subresource: "status" },
    );
  }
}
