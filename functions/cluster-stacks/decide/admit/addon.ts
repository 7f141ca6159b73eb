import type { ObjectReference } from "../../kinds/index.ts";

interface AddonSpec {
  readonly clusterRef?: ObjectReference | undefined;
}

/**
 * Says why addons cannot be stored like this; empty where they can (2.3).
 * @param before the spec that is stored; undefined where they are being made
 */
export function addonFaults(
  spec: AddonSpec | undefined,
  namespace: string,
  before?: AddonSpec | undefined,
): readonly string[] {
  const { kind, name = "", namespace: of = namespace } = spec?.clusterRef ?? {};
  const was = before?.clusterRef;
  return [
    ...(kind === "Cluster" ? [] : ["spec.clusterRef.kind: it is not Cluster"]),
    ...(name === "" ? ["spec.clusterRef.name: it is missing"] : []),
    ...(of === namespace
      ? []
      : [`spec.clusterRef.namespace: it is ${of}, and addons lie beside their Cluster`]),
    ...(was === undefined || (was.name === name && was.kind === kind)
      ? []
      : ["spec.clusterRef: the Cluster of addons is not changed; make others for another Cluster"]),
  ];
}
