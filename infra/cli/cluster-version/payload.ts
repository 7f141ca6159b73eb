import { basename, dirname, resolve } from "node:path";
import {
  contentsOf,
  DEFAULT_PROFILE,
  included,
  type Payload,
} from "../../../functions/cluster-version/payload/index.ts";
import { storedPayloads } from "../../../shared/ports/payloads/adapters/index.ts";

/** The payload in a folder, an archive or an OCI layout, as a cluster without further wishes sees it. */
export async function payloadAt(path: string): Promise<Payload> {
  const file = resolve(path);
  const image = basename(file).replace(/\.(tar|tar\.gz|tgz|tar\.zst)$/, "");
  const bundle = await storedPayloads({ folder: dirname(file) }).load(image);
  const contents = contentsOf(await bundle.files(), { image, profile: DEFAULT_PROFILE });
  return included(contents, { profile: DEFAULT_PROFILE, featureSet: "", featureGates: new Set() });
}
