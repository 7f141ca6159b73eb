import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { loosely } from "../../../shared/kube/kinds/loosely.ts";

/** The feature gates of a cluster: the object `cluster`. Clusters that are no OpenShift have no such kind. */
export class FeatureGate extends defineKind({
  group: "config.openshift.io",
  version: "v1",
  kind: "FeatureGate",
  scope: "Cluster",
  external: true,
  fields: { spec: loosely(z.record(z.string(), z.unknown()).optional()) },
  status: loosely(z.record(z.string(), z.unknown())),
  // Its gates are many, and all of them matter: whoever reads it is told that it changed.
  facts: (it) => ({ version: it.metadata.resourceVersion }),
}) {}
