import { digestOf } from "../../../../../shared/oci/documents.ts";
import { type Manifest, OciError } from "../../../../../shared/oci/index.ts";
import type { Components, Failed } from "../contract.ts";
import type { ComponentBlobs } from "./blobs.ts";
import { packedComponent, type UnpackedComponent } from "./packed.ts";
import { componentsOf } from "./read.ts";

/** Components in memory, for tests and samples. */
export interface MemoryComponents extends Components {
  /** Publishes a component; what it had before under that version is replaced. */
  put(component: UnpackedComponent): Promise<void>;
  /** Has every question fail until it is called without a failure. */
  fails(failure?: Omit<Failed, "state">): void;
  /** Has what is remembered of artifacts be cut to so many documents, until it is called without a number or one is read anew. */
  remembersOnly(documents?: number): void;
  /** Forgets all components, and how questions were to go. */
  clear(): void;
  /** The questions that were asked: `describe NAME VERSION`, `layer REF`, `layer REF anew`. */
  readonly asked: readonly string[];
}

export function memoryComponents(): MemoryComponents {
  const manifests = new Map<string, Manifest>();
  const contents = new Map<string, Uint8Array>();
  const asked: string[] = [];
  let failure: Failed | undefined;
  let remembered: number | undefined;
  const absent = (place: string): OciError =>
    new OciError("OCI_NOT_FOUND", `${place}: it was not published here`);
  const blobs: ComponentBlobs = {
    repo: "memory.test/components",
    manifest: async (name, version) => {
      const found = manifests.get(`${name}:${version}`);
      if (found === undefined) throw absent(`${name}:${version}`);
      return found;
    },
    blob: async (name, digest, { maximumBytes }) => {
      const found = contents.get(`${name}@${digest}`);
      if (found === undefined) throw absent(digest);
      if (found.byteLength > maximumBytes)
        throw new OciError("OCI_TOO_LARGE", `it has ${found.byteLength} bytes, ${maximumBytes} at most`);
      return found;
    },
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
      manifests.set(`${component.name}:${component.version}`, manifest);
      for (const { content } of packed) contents.set(`${component.name}@${digestOf(content)}`, content);
    },
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
