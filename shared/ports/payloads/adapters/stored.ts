import { join } from "node:path";
import { type Payloads, unverified, type Verifier } from "../contract.ts";
import { PayloadsError } from "../errors.ts";
import { archiveSource } from "./archive.ts";
import { DEFAULT_LIMITS, type PayloadLimits } from "./collector.ts";
import { directorySource } from "./directory.ts";
import { isLayout, layoutSource } from "./oci-layout.ts";
import { exists, type PayloadSource, reading } from "./source.ts";

/** The folder of payloads, and their verifier. */
export interface StoredPayloads {
  /** Holds one entry for each image; see `entryName`. It may also be an OCI layout itself, for any number of images. */
  readonly folder: string;
  /** Default: nobody looks, and the verdict says so. */
  readonly verifier?: Verifier;
  readonly limits?: Partial<PayloadLimits>;
  /** The architecture to read of an image for several. In the words of Go; default that of this machine. */
  readonly architecture?: string;
}

const PULL_SPEC = /^[A-Za-z0-9][A-Za-z0-9._/:@-]*$/;
const ARCHIVES = [".tar", ".tar.gz", ".tgz", ".tar.zst"];

/**
 * The name of an image's entry: `reg.example/rel@sha256:aa` lies in `reg.example_rel_sha256_aa`, or that with `.tar.gz` and the
 * like.
 */
export const entryName = (image: string): string => image.replaceAll(/[/:@]/g, "_");

/** Payloads on disk: directories, archives and OCI layouts, found by the pull spec's name. */
export function storedPayloads({
  folder,
  verifier = unverified,
  limits,
  architecture,
}: StoredPayloads): Payloads {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const sourceOf = async (image: string): Promise<PayloadSource> => {
    if (!PULL_SPEC.test(image)) throw new PayloadsError("PAYLOAD_NOT_FOUND", image, "it is no pull spec");
    const entry = join(folder, entryName(image));
    if (await isLayout(entry)) return layoutSource(image, entry, bounds, architecture);
    if (await exists(entry)) return directorySource(image, entry, bounds);
    for (const extension of ARCHIVES)
      if (await exists(entry + extension)) return archiveSource(image, entry + extension, bounds);
    if (await isLayout(folder)) return layoutSource(image, folder, bounds, architecture);
    throw new PayloadsError(
      "PAYLOAD_NOT_FOUND",
      image,
      `${folder} holds no directory ${entryName(image)}, no archive of that name (${ARCHIVES.join(", ")}) and is no OCI layout`,
    );
  };
  return {
    load: (image) =>
      reading(image, async () => {
        const source = await sourceOf(image);
        const fingerprint = `${image}\n${await source.fingerprint()}`;
        return {
          image,
          fingerprint,
          verification: await verifier(image),
          files: () => reading(image, () => source.files()),
        };
      }),
  };
}
