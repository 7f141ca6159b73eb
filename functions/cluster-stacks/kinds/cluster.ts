import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { loosely } from "../../../shared/kube/kinds/loosely.ts";

const topology = z.object({
  /** v1beta1: the class, and the namespace that it lies in. */
  class: z.string().optional(),
  classNamespace: z.string().optional(),
  /** v1beta2: both in one. */
  classRef: z.object({ name: z.string().optional(), namespace: z.string().optional() }).optional(),
  version: z.string().optional(),
});

const conditions = z.array(z.object({ type: z.string(), status: z.string() }));

/** A workload cluster of Cluster API: the class and the version of Kubernetes that it asks for. */
export class Cluster extends defineKind({
  group: "cluster.x-k8s.io",
  version: ["v1beta2", "v1beta1"],
  kind: "Cluster",
  scope: "Namespaced",
  external: true,
  fields: {
    spec: loosely(z.object({ topology: topology.optional(), paused: z.boolean().optional() }).optional()),
  },
  status: loosely(z.object({ conditions: conditions.optional() })),
  facts: (it) => ({
    class: it.spec.topology.class,
    classNamespace: it.spec.topology.classNamespace,
    classRefName: it.spec.topology.classRef.name,
    classRefNamespace: it.spec.topology.classRef.namespace,
    version: it.spec.topology.version,
    paused: it.spec.paused,
    pausedBy: it.metadata.annotations["cluster.x-k8s.io/paused"],
    deleting: it.metadata.deletionTimestamp,
    // Then its API server answers, and its kubeconfig is there.
    initialized: it.status.conditions.of("ControlPlaneInitialized").status,
  }),
}) {}

/** A class of Cluster API: its releases make them, and Clusters name them. */
export class ClusterClass extends defineKind({
  group: "cluster.x-k8s.io",
  version: ["v1beta2", "v1beta1"],
  kind: "ClusterClass",
  plural: "clusterclasses",
  scope: "Namespaced",
  external: true,
  fields: {},
  facts: (it) => ({ generation: it.metadata.generation }),
}) {}
