import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import { isClusterClass } from "../apply/index.ts";
import { classOf, type ReleaseName, stemOf } from "../names/index.ts";
import type { Rendering } from "./printed.ts";

/** Names the chart of a ClusterClass to people. */
export const CLASS_CHART = "the chart of the ClusterClass";
/** The circumstances in which the chart of a release's ClusterClass is rendered. */
export const classRendering = (release: ReleaseName, namespace: string): Rendering => ({
  values: {},
  releaseName: stemOf(release),
  namespace,
});

/** The reason why Clusters could not name the class of a release by what its chart prints; undefined where they can. */
export function classFault(
  release: ReleaseName,
  objects: readonly Pick<KubeObject, "apiVersion" | "kind" | "metadata">[],
): string | undefined {
  const classes = objects.flatMap(({ apiVersion, kind, metadata }) =>
    isClusterClass({ ...parseApiVersion(apiVersion), kind }) ? [metadata.name] : [],
  );
  if (classes.includes(classOf(release))) return undefined;
  const found = classes.length === 0 ? "no ClusterClass" : `the ClusterClass ${classes.join(", ")}`;
  return `it makes ${found}; Clusters would name ${classOf(release)}`;
}
