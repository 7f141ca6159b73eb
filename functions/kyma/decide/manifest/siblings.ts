import type { Obj } from "../../../../shared/function/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import { ANNOTATIONS, type Manifest } from "../../kinds/index.ts";
import { keptRequirements } from "../dependencies/index.ts";
import { refOf } from "./install.ts";
import { isKept, keyOf } from "./inventory.ts";
import { bringerOf } from "./marks.ts";
import type { Claim, FoundObject, Live } from "./world.ts";

type Self = Obj<typeof Manifest>;

/** The reads by which the claims of other Manifests are known. */
export interface SiblingReads {
  /** All Manifests of the same Kyma, this one among them. */
  siblings(): Promise<readonly Self[]>;
  /** True where a Manifest of that name is there. */
  isThere(name: string): Promise<boolean>;
}

/**
 * Adds to objects that may be deleted who else has them: the label of an object names only the Manifest that applied it last. Where none of
 * them is there, nobody is asked.
 */
export async function withClaims(
  self: Self,
  found: readonly FoundObject[],
  reads: SiblingReads,
): Promise<readonly FoundObject[]> {
  if (!found.some(mayGo)) return found;
  const others = (await reads.siblings()).filter(({ metadata }) => metadata.name !== self.metadata.name);
  const records = others.map((manifest) => ({
    manifest,
    keys: new Set((manifest.status?.synced ?? []).map(keyOf)),
  }));
  return Promise.all(
    found.map(async (one) => {
      if (!mayGo(one)) return one;
      const holders = records
        .filter(({ keys }) => keys.has(keyOf(one.entry)))
        .map(({ manifest }) => manifest);
      const claim = claimOf(self, holders) ?? (await strangersClaim(self, one.live, others, reads));
      return claim === undefined ? one : { ...one, claim };
    }),
  );
}

const mayGo = (one: FoundObject): one is FoundObject & { readonly live: Live } =>
  one.live !== undefined && !isKept(one.entry);

/**
 * The claim of those that have recorded the same object. One that stands as its artifact says keeps it. Those that are on their way, to
 * another artifact or out of the runtime, may each be about to drop it as well: the last of them takes it along, once the others stand or
 * have let go of it. One that is deleted is not the last while one that is not has the object: no removal waits for an upgrade.
 */
function claimOf(self: Self, holders: readonly Self[]): Claim | undefined {
  const [first] = holders;
  if (first === undefined) return undefined;
  const heir = holders.find((holder) => stands(holder) || isLater(holder, self));
  return heir === undefined
    ? { by: first.metadata.name, isPassing: true }
    : { by: heir.metadata.name, isPassing: false };
}

/** True for a Manifest whose record is what its artifact brings. */
const stands = (manifest: Self): boolean =>
  !isDeleting(manifest) && manifest.metadata.annotations[ANNOTATIONS.syncedArtifact] === refOf(manifest);

const isLater = (one: Self, other: Self): boolean => {
  if (isDeleting(one) !== isDeleting(other)) return isDeleting(other);
  // One that requires another moves on only once that one stands.
  if (needs(one, other) !== needs(other, one)) return needs(one, other);
  return one.metadata.name > other.metadata.name;
};

const needs = (one: Self, { metadata: { name } }: Self): boolean =>
  keptRequirements(one).some(({ optional, of = [] }) => optional !== true && of.includes(name));

/** The claim of a Manifest of another Kyma in the same cluster, of which only the mark is known. One that is gone claims nothing. */
async function strangersClaim(
  self: Self,
  live: Live,
  others: readonly Self[],
  reads: SiblingReads,
): Promise<Claim | undefined> {
  const by = bringerOf(live);
  if (by === undefined || [self, ...others].some(({ metadata }) => metadata.name === by)) return undefined;
  return (await reads.isThere(by)) ? { by, isPassing: false } : undefined;
}
