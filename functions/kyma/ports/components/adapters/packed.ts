import { packTar } from "../../../../../shared/archive/index.ts";
import { digestOf } from "../../../../../shared/oci/documents.ts";
import { type Descriptor, MANIFEST_TYPE, type Manifest } from "../../../../../shared/oci/index.ts";
import type { LayerSource } from "../contract.ts";

const OCM = "application/vnd.ocm.software";
const DESCRIPTOR_TYPE = `${OCM}.component-descriptor.v2+yaml+tar`;

/** A component as its author has it. */
export interface UnpackedComponent {
  readonly name: string;
  readonly version: string;
  /** The objects in YAML; of `oci-dir` a tar that holds them. */
  readonly layer: string | Uint8Array;
  readonly type?: LayerSource["type"];
  readonly images?: readonly string[];
  /** Fields that replace those of its descriptor. */
  readonly descriptor?: Readonly<Record<string, unknown>>;
}

/** A component as a repository has it. */
export interface PackedComponent {
  readonly manifest: Manifest & { readonly mediaType: string };
  readonly blobs: readonly (Descriptor & { readonly content: Uint8Array })[];
  /** The digest of its artifact. */
  readonly ref: string;
}

/** Packs a component as OCM does. */
export async function packedComponent(component: UnpackedComponent): Promise<PackedComponent> {
  const { layer, type = "oci-ref" } = component;
  const artifact = blobOf(
    Buffer.from(layer),
    type === "oci-dir" ? "application/x-tar" : "application/octet-stream",
  );
  const text = JSON.stringify(descriptorOf(component, artifact));
  const descriptor = blobOf(
    await packTar(new Map([["component-descriptor.yaml", Buffer.from(text)]])),
    DESCRIPTOR_TYPE,
  );
  const config = blobOf(
    Buffer.from(JSON.stringify({ componentDescriptorLayer: referenceTo(descriptor) })),
    `${OCM}.component.config.v1+json`,
  );
  const layers = [descriptor, artifact].map(referenceTo);
  return {
    manifest: { schemaVersion: 2, mediaType: MANIFEST_TYPE, config: referenceTo(config), layers },
    blobs: [config, descriptor, artifact],
    ref: artifact.digest,
  };
}

const descriptorOf = (
  { name, version, images = [], descriptor }: UnpackedComponent,
  { digest, mediaType }: Descriptor,
) => ({
  meta: { schemaVersion: "v2" },
  component: {
    name,
    version,
    provider: "reveille",
    repositoryContexts: [],
    sources: [],
    componentReferences: [],
    resources: [
      {
        ...{ name: "raw-manifest", type: "yaml", relation: "local", version },
        access: { type: "localBlob", localReference: digest, mediaType },
      },
      ...images.map((imageReference, at) => ({
        ...{ name: `image-${at}`, type: "ociImage", relation: "external", version },
        access: { type: "ociArtifact", imageReference },
      })),
    ],
    ...descriptor,
  },
});

const blobOf = (content: Uint8Array, mediaType: string) => ({
  mediaType,
  digest: digestOf(content),
  size: content.byteLength,
  content,
});
const referenceTo = ({ mediaType, digest, size }: Descriptor): Descriptor => ({ mediaType, digest, size });
