import { type ReleaseName, stemOf } from "../names/index.ts";
import type { Rendering } from "./printed.ts";

/** Names the chart of a ClusterClass to people. */
export const CLASS_CHART = "the chart of the ClusterClass";
/** The circumstances in which the chart of a release's ClusterClass is rendered. */
export const classRendering = (release: ReleaseName, namespace: string): Rendering => ({
  values: {},
  releaseName: stemOf(release),
  namespace,
});
