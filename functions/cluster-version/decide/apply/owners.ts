import type { KubeObject, OwnerReference } from "../../../../shared/kube/object.ts";
import { isCreateOnly } from "./annotations.ts";
import type { ApplyContext } from "./verdict.ts";

type Owner = NonNullable<ApplyContext["owner"]>;

/** The same owner before it was made anew: its uid belongs to nobody any more. */
const isFormer = (reference: OwnerReference, owner: Owner): boolean =>
  reference.uid !== owner.uid &&
  reference.name === owner.name &&
  reference.kind === owner.kind &&
  reference.apiVersion === owner.apiVersion;

/** The owners that a manifest asks for: those that it names itself, or else the ClusterVersion. */
function wanted(manifest: KubeObject, owner: Owner | undefined): readonly OwnerReference[] {
  const own = manifest.metadata.ownerReferences ?? [];
  if (own.length > 0 || owner === undefined) return own;
  const { apiVersion, kind, name, uid } = owner;
  return [{ apiVersion, kind, name, uid, controller: !isCreateOnly(manifest), blockOwnerDeletion: true }];
}

/**
 * The owners that an object shall have: those that it has, with the wanted ones set by uid. Where another is its controller already, the
 * ClusterVersion is a plain owner: the server refuses two controllers.
 */
export function ownersOf(
  manifest: KubeObject,
  live: KubeObject | undefined,
  owner: Owner | undefined,
): readonly OwnerReference[] {
  const there = (live?.metadata.ownerReferences ?? []).filter(
    (reference) => owner === undefined || !isFormer(reference, owner),
  );
  const owners = [...there];
  for (const reference of wanted(manifest, owner)) {
    const controlled =
      reference.controller === true &&
      there.some(({ uid, controller }) => uid !== reference.uid && controller === true);
    const set = controlled ? { ...reference, controller: false } : reference;
    const at = owners.findIndex(({ uid }) => uid === reference.uid);
    if (at < 0) owners.push(set);
    else owners[at] = set;
  }
  return owners;
}
