import type { Metadata } from "../../../../shared/function/index.ts";
import { parseApiVersion } from "../../../../shared/kube/object.ts";
import { Kyma, LABELS } from "../../kinds/index.ts";

/**
 * The name of the Kyma that a Manifest is part of: of the one that controls it, else of the one that its label names; empty where
 * neither says. Labels are changed by hand, and must not lead into the cluster of another Kyma.
 */
export const kymaOf = ({
  metadata: { ownerReferences = [], labels },
}: {
  readonly metadata: Pick<Metadata, "labels"> & Partial<Pick<Metadata, "ownerReferences">>;
}): string =>
  ownerReferences.find(
    ({ controller, kind, apiVersion }) =>
      controller === true && kind === Kyma.kind && parseApiVersion(apiVersion).group === Kyma.group,
  )?.name ??
  labels[LABELS.kymaName] ??
  "";
