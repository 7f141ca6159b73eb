import { digestOf, manifestOrIndex } from "../../../../../shared/oci/documents.ts";
import {
  type Index,
  type Manifest,
  type ManifestOrIndex,
  OciError,
} from "../../../../../shared/oci/index.ts";
import type { Components, Failed } from "../contract.ts";
import type { ComponentBlobs, Place } from "./blobs.ts";
import { packedComponent, type UnpackedComponent } from "./packed.ts";
import { componentsOf } from "./read.ts";

/** Components in memory, for tests and samples. */
export interface MemoryComponents extends Components {
  /** Publishes a component; what it had before under that version is replaced. */
  put(component: UnpackedComponent): Promise<void>;
  /** Publishes documents and blobs in a repository, each document by its digest, and by a tag where it has one. */
  publish(place: Place, published: Published): void;
  /** Has every question fail until it is called without a failure. */
  fails(failure?: Omit<Failed, "state">): void;
  /** Has what is remembered of artifacts be cut to so many documents, until it is called without a number or one is read anew. */
  remembersOnly(documents?: number): void;
  /** Forgets all components, and how questions were to go. */
  clear(): void;
  /** The questions that were asked: `describe NAME VERSION`, `layer REF`, `layer REF anew`. */
  readonly asked: readonly string[];
}

/** Manifests, indexes and blobs as a registry holds them. */
export interface Published {
  readonly blobs?: readonly Uint8Array[];
  readonly documents?: readonly {
    readonly tag?: string;
    readonly content: (Manifest | Index) & { readonly mediaType: string };
  }[];
}

export function memoryComponents(): MemoryComponents {
  const manifests = new Map<string, ManifestOrIndex>();
  const contents = new Map<string, Uint8Array>();
  const keyOf = (place: Place, reference: string): string => JSON.stringify([place, reference]);
  const asked: string[] = [];
  let failure: Failed | undefined;
  let remembered: number | undefined;
  const absent = (place: string): OciError =>
    new OciError("OCI_NOT_FOUND", `${place}: it was not published here`);
  const blobs: ComponentBlobs = {
    repo: "memory.test/components",
    host: "memory.test",
    document: async (place, reference) => {
      const found = manifests.get(keyOf(place, reference));
      if (found === undefined) throw absent(reference);
      return found;
    },
    blob: async (place, digest, { maximumBytes }) => {
      const found = contents.get(keyOf(place, digest));
      if (found === undefined) throw absent(digest);
      if (found.byteLength > maximumBytes)
        throw new OciError("OCI_TOO_LARGE", `it has ${found.byteLength} bytes, ${maximumBytes} at most`);
      return found;
    },
  };
  const publish = (place: Place, { blobs: bytes = [], documents = [] }: Published): void => {
    for (const content of bytes) contents.set(keyOf(place, digestOf(content)), content);
    for (const { tag, content } of documents) {
      const text = JSON.stringify(content);
      const { mediaType } = content;
      const document = manifestOrIndex(JSON.parse(text), { mediaType, place: tag ?? "" });
      manifests.set(keyOf(place, digestOf(Buffer.from(text))), document);
      if (tag !== undefined) manifests.set(keyOf(place, tag), document);
    }
  };
  const components = componentsOf(blobs);
  return {
    describe: async (name, version) => {
      asked.push(`describe ${name} ${version}`);
      return failure ?? components.describe(name, version);
    },
    layer: async (source, { anew = false } = {}) => {
      asked.push(`layer ${source.ref}${anew ? " anew" : ""}`);
      if (anew) remembered = undefined;
      const layer = failure ?? (await components.layer(source));
      return layer.state === "read" ? { ...layer, documents: layer.documents.slice(0, remembered) } : layer;
    },
    put: async (component) => {
      const { manifest, blobs: packed } = await packedComponent(component);
      publish(
        { component: component.name },
        {
          blobs: packed.map(({ content }) => content),
          documents: [{ tag: component.version, content: manifest }],
        },
      );
    },
    publish,
    fails: (next) => {
      failure = next && { state: "failed", ...next };
    },
    remembersOnly: (documents) => {
      remembered = documents;
    },
    clear: () => {
      manifests.clear();
      contents.clear();
      failure = undefined;
      remembered = undefined;
    },
    asked,
  };
}
