import { fieldsOf } from "../json/fields.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Unstructured } from "../kube/slot.ts";
import { objectOf } from "./object-of.ts";

/** The scope of a kind, as far as the server knows it now. */
export type Scope = "Namespaced" | "Cluster" | undefined;

/** An object as it is applied. */
export type ApplicableObject = Unstructured & {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
};

/** The objects of rendered documents, lists taken apart; what is no object is told in words. */
export function objectsOf(documents: readonly unknown[]): readonly (KubeObject | string)[] {
  return documents.flatMap((document) => {
    const items = fieldsOf(document).items;
    const { kind } = fieldsOf(document);
    if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) return objectsOf(items);
    return [objectOf(document)];
  });
}

/** The namespace of an object: its own, else the default one; none where its kind has none. */
export const namespaceOf = (object: KubeObject, scope: Scope, byDefault: string): string | undefined =>
  scope === "Cluster" ? undefined : object.metadata.namespace || byDefault;
