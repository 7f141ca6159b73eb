import {
  MANIFEST_TYPE,
  type Manifest,
  OciError,
  type RegistryClient,
  TITLE,
} from "../../../../../shared/oci/index.ts";
import { ARTIFACT_TYPE } from "./oci.ts";

const LAYER = "application/vnd.scs";
const EMPTY = { content: new TextEncoder().encode("{}"), type: "application/vnd.oci.empty.v1+json" } as const;

/** The media types of a release's files, the first that fits. */
const LAYERS: readonly (readonly [RegExp, string])[] = [
  [/-cluster-addon-[^/]*\.tgz$/, `${LAYER}.cluster-addon.layer.v1.tar+gzip`],
  [/-cluster-class-[^/]*\.tgz$/, `${LAYER}.cluster-class.v1.tar+gzip`],
  [/-node-image-[^/]*\.tgz$/, `${LAYER}.node-image.layer.v1.tar+gzip`],
  [/^(clusteraddon|cluster-addon-values)\.yaml$/, `${LAYER}.cluster-addon.config.layer.v1+yaml`],
  [/^metadata\.yaml$/, `${LAYER}.metadata.layer.v1+yaml`],
  [/^node-images\.yaml$/, `${LAYER}.node-image.config.layer.v1+yaml`],
  [/^hashes\.json$/, `${LAYER}.hashes.layer.v1+yaml`],
];

/** The media type of the layer of a file; of one that the format does not know, the general one. */
export const mediaTypeOf = (file: string): string =>
  LAYERS.find(([pattern]) => pattern.test(file))?.[1] ?? "application/octet-stream";

/** True where a repository has that tag. @throws OciError */
export async function isPublished(repository: RegistryClient, tag: string): Promise<boolean> {
  try {
    await repository.document(tag);
    return true;
  } catch (error) {
    if (error instanceof OciError && error.code === "OCI_NOT_FOUND") return false;
    throw error;
  }
}

/** Publishes the files of a release under its tag: the tag last, so that nobody sees a part of it. @throws OciError */
export async function publishToRegistry(
  repository: RegistryClient,
  tag: string,
  files: ReadonlyMap<string, Uint8Array>,
  annotations: Readonly<Record<string, string>> = {},
): Promise<string> {
  const layers: Manifest["layers"] = [];
  for (const [name, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    layers.push({
      ...(await repository.pushBlob(content, mediaTypeOf(name))),
      annotations: { [TITLE]: name },
    });
  const config = await repository.pushBlob(EMPTY.content, EMPTY.type);
  const content = {
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    artifactType: ARTIFACT_TYPE,
    config,
    layers,
    annotations,
  };
  return (await repository.pushManifest(tag, content)).digest;
}
