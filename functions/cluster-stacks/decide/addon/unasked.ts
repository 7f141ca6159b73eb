import { fieldOf, fieldsOf, textOf } from "../../../../shared/json/fields.ts";
import type { AddonWorld } from "./world.ts";

type Unasked = Pick<
  Extract<AddonWorld, { readonly step: "no plan" }>,
  "cluster" | "release" | "plan" | "wanted"
>;

/** The reason why Cluster API has not asked about a class yet, as far as its objects tell, and what to do. */
export function unaskedText({ cluster, release, plan, wanted }: Unasked): string {
  if (release === undefined)
    return `ClusterStackRelease ${wanted.namespace}/${wanted.tag} is not there, and neither is its ClusterClass; name its version in spec.versions of its ClusterStack`;
  if (release.status?.ready !== true) {
    const ready = release.status?.conditions?.find(({ type }) => type === "Ready");
    const why = ready?.message || ready?.reason;
    return `ClusterStackRelease ${wanted.namespace}/${wanted.tag} is not ready${why === undefined ? "" : `: ${why}`}`;
  }
  const version = textOf(fieldOf(fieldOf(fieldsOf(cluster).spec, "topology"), "version"));
  return version === plan.kubernetesVersion
    ? "it does so before it upgrades the control plane, with its feature RuntimeSDK and the ExtensionConfig reveille"
    : `set the Cluster's spec.topology.version to ${plan.kubernetesVersion}, it is ${version || "empty"}`;
}
