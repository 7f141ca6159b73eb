import { whereAdmitted } from "../../../../shared/function/known.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import type { Resource } from "../../kinds/index.ts";

/** Asks whether the server knows a kind. */
type Knows = (what: { readonly apiVersion: string; readonly kind: string }) => Promise<unknown>;

/** The versions that are tried for a kind that is served in its own no more. */
const VERSIONS = [
  ...["v1", "v2", "v1beta2", "v1beta1", "v2beta2", "v2beta1"],
  ...["v1alpha4", "v1alpha3", "v1alpha2", "v1alpha1"],
];

/** The first of these versions in which the server knows the kind, or which the read itself will refuse. */
export async function servedVersion(
  { group, kind }: { readonly group: string; readonly kind: string },
  versions: readonly string[],
  knows: Knows,
): Promise<string | undefined> {
  for (const version of versions) {
    const apiVersion = apiVersionOf({ group, version });
    const known = await whereAdmitted(() => knows({ apiVersion, kind }));
    if ("refused" in known || known.value !== undefined) return apiVersion;
  }
  return undefined;
}

/** An object of the record as it was found. */
export interface Recorded<Live> {
  readonly live: Live | undefined;
  /** The reason why nobody may look for it: the configuration does not admit its kind any more. */
  readonly refused?: string | undefined;
}

/**
 * Reads an object of the record; where its kind is served no more in the version in which it was applied, in one in which it is: an
 * upgrade of the server takes versions, and leaves the objects.
 */
export async function recordedObject<Live>(
  { group = "", version = "", kind = "" }: Resource,
  read: (apiVersion: string) => Promise<Live | undefined>,
  knows: Knows,
): Promise<Recorded<Live>> {
  const before = apiVersionOf({ group, version });
  const found = await recordedIn(() => read(before));
  if (found.refused !== undefined || found.live !== undefined) return found;
  // What the read found not to be known is asked for anew here; all else is known already.
  const now = await servedVersion({ group, kind }, [version, ...VERSIONS], knows);
  return now === undefined || now === before ? found : recordedIn(() => read(now));
}

async function recordedIn<Live>(read: () => Promise<Live | undefined>): Promise<Recorded<Live>> {
  const found = await whereAdmitted(read);
  return "refused" in found ? { live: undefined, refused: found.refused } : { live: found.value };
}

/** The sentence about an object that nobody may take away. */
export const refusedText = ({ kind = "", name = "" }: Resource, refused: string): string =>
  `${kind} ${name} stays if it was applied: ${refused}; admit its kind, or delete it yourself`;
