import type { KubeObject } from "../../../../shared/kube/object.ts";

export const namespace = "demo-payload";
const labels = { "app.example.org/part-of": "demo" };

/** A manifest as releases have them. */
export const manifest = (
  apiVersion: string,
  kind: string,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  metadata: Partial<KubeObject["metadata"]> = { namespace },
): KubeObject => ({
  apiVersion,
  kind,
  metadata: {
    name,
    creationTimestamp: null,
    labels,
    annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
    ...metadata,
  },
  ...fields,
});
/** The metadata of what has no namespace. */
export const clusterWide = {};
