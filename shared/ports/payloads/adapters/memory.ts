import { type Payloads, unverified, type Verifier } from "../contract.ts";
import { PayloadsError } from "../errors.ts";
import { digestOf } from "./source.ts";

/** Payloads in memory, for tests and samples: the text of files by path, by image. They may be added and replaced at any time. */
export interface MemoryPayloads extends Payloads {
  put(image: string, files: Readonly<Record<string, string>>): void;
  remove(image: string): void;
}

const PATH = /^(manifests|release-manifests)\/[^/]+$/;

/** Both folders are taken to be there. */
export function memoryPayloads(
  images: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  { verifier = unverified }: { readonly verifier?: Verifier } = {},
): MemoryPayloads {
  const stored = new Map(Object.entries(images));
  return {
    put: (image, files) => void stored.set(image, files),
    remove: (image) => void stored.delete(image),
    load: async (image) => {
      const files = stored.get(image);
      if (files === undefined) throw new PayloadsError("PAYLOAD_NOT_FOUND", image, "nobody put it here");
      const entries = Object.entries(files).filter(([path]) => PATH.test(path));
      return {
        image,
        fingerprint: digestOf(JSON.stringify([image, entries.sort()])),
        verification: await verifier(image),
        files: async () => entries.map(([path, text]) => ({ path, content: new TextEncoder().encode(text) })),
      };
    },
  };
}
