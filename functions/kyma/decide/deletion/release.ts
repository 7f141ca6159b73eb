import { PAUSED } from "../../../../shared/function/heeded.ts";
import { type Effects, type Obj, remove, type Wait } from "../../../../shared/function/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import { isSet, type Kyma, LABELS, Manifest } from "../../kinds/index.ts";

/** The Manifests that hold the release of a module that each cluster gets. */
export interface ReleaseWorld {
  readonly left: readonly Obj<typeof Manifest>[];
  /** The Kymas of the namespace; none where nobody has to be asked to take the module away. */
  readonly kymas: readonly Pick<Obj<typeof Kyma>, "metadata">[];
}

/**
 * Lets a release go once no cluster has its module any more. A Kyma takes the module away itself; one that a label leaves alone does not, and it is
 * done for that one here (3.2).
 */
export function releaseGoes({ left, kymas }: ReleaseWorld): {
  readonly effects: Effects<"Manifest">;
  readonly finalized?: true;
  readonly waitingFor?: readonly Wait[];
} {
  if (left.length === 0) return { effects: [], finalized: true };
  const byName = new Map(kymas.map((kyma) => [kyma.metadata.name, kyma]));
  const kymaOf = ({ metadata }: Obj<typeof Manifest>) => byName.get(metadata.labels[LABELS.kymaName] ?? "");
  const forgotten = left.filter(
    (manifest) =>
      !isDeleting(manifest) && isSet(kymaOf(manifest)?.metadata.labels ?? {}, LABELS.skipReconciliation),
  );
  return {
    effects: forgotten.map((manifest) => remove(Manifest, manifest)),
    waitingFor: [{ for: `${left.map((one) => told(one, kymaOf(one))).join(", ")} to be gone` }],
  };
}

/** The name of a Manifest; where somebody has stopped its removal also the line that lets it go on. */
function told(manifest: Obj<typeof Manifest>, kyma: ReleaseWorld["kymas"][number] | undefined): string {
  const { name, namespace } = manifest.metadata;
  return !isDeleting(manifest) && kyma?.metadata.annotations[PAUSED] === "true"
    ? `${name} (its Kyma is paused: kubectl annotate kyma ${kyma.metadata.name} -n ${namespace} ${PAUSED}-)`
    : name;
}
