import { createHash } from "node:crypto";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { PodTemplateSpec } from "../../shared/kube/schema/workloads.ts";
import { canonical } from "./conditions.ts";
import { uidOf } from "./objects.ts";

/** No vowels, so that no words arise: Kubernetes' own alphabet for such suffixes. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
export const HASH_LABEL = "pod-template-hash";

/** A short text that stands for `content`, of `length` letters. */
export function suffixOf(content: string, length: number): string {
  const digest = createHash("sha256").update(content).digest();
  return [...digest.subarray(0, length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** The template as text, without the label that the Deployment controller adds to it. */
export function templateText(template: PodTemplateSpec | undefined): string {
  const { [HASH_LABEL]: _, ...labels } = template?.metadata?.labels ?? {};
  return JSON.stringify(canonical({ ...template, metadata: { ...template?.metadata, labels } }));
}

/** The pod that `owner` makes of its template. */
export function podOf(
  owner: KubeObject,
  template: PodTemplateSpec | undefined,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...(template?.metadata?.annotations === undefined
        ? {}
        : { annotations: template.metadata.annotations }),
      labels: { ...template?.metadata?.labels, ...labels },
      name,
      namespace: owner.metadata.namespace,
      ownerReferences: [controllerReference(owner)],
    },
    spec: template?.spec,
  };
}

/** The reference by which a child names the workload that made it. */
export const controllerReference = (owner: KubeObject) => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: uidOf(owner),
  controller: true,
  blockOwnerDeletion: true,
});
