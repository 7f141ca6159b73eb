import { exclusionOf, type Inclusion } from "./inclusion.ts";
import type { Excluded, Manifest, Payload, PayloadContents } from "./payload.ts";
import { versionHash } from "./version-hash.ts";

/** A payload without what this cluster does not want, and its fingerprint. The major version is the payload's own. */
export function included(contents: PayloadContents, inclusion: Inclusion): Payload {
  const asked: Inclusion = { majorVersion: contents.major, ...inclusion };
  const manifests: Manifest[] = [];
  const excluded: Excluded[] = [];
  for (const manifest of contents.manifests) {
    const why = exclusionOf(manifest, asked);
    if (why === undefined) manifests.push(manifest);
    else excluded.push({ manifest, why });
  }
  return { ...contents, manifests, excluded, versionHash: versionHash(manifests.map(({ raw }) => raw)) };
}
