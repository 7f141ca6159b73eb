import { NamespaceSpec, NamespaceStatus } from "../../../shared/kube/schema/core.ts";
import type { ApiObject } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, objectIn } from "./reading.ts";

/** Namespaces that are there from the start. */
export const INITIAL_NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"] as const;

/** Deletion of a namespace ends when a controller has emptied it and taken `kubernetes` out of `spec.finalizers`. */
export const namespace = builtIn({
  kind: "Namespace",
  shortNames: ["ns"],
  cluster: true,
  description: "A place for names, rights and quotas.",
  fields: { spec: NamespaceSpec.optional(), status: NamespaceStatus.optional() },
  status: true,
  names: "label",
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  selectable: ["status.phase"],
  strategy: {
    default(object) {
      object.metadata.labels = {
        ...object.metadata.labels,
        "kubernetes.io/metadata.name": object.metadata.name,
      };
      objectIn(object, "spec");
      fillIn(objectIn(object, "status"), { phase: "Active" });
    },
    prepareForCreate(object) {
      object.spec = { finalizers: ["kubernetes"] };
      object.status = { phase: "Active" };
    },
    prepareForUpdate(object, previous, { subresource }) {
      // Only `/finalize` changes the finalizers of the spec, only `/status` the phase.
      if (subresource !== "finalize") object.spec = structuredClone(previous.spec);
      if (subresource !== "status") object.status = structuredClone(previous.status);
    },
  },
});

/** The body of a namespace, for creating the first ones. */
export const namespaceNamed = (name: string): ApiObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name },
});
