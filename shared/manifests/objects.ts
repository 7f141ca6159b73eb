import { fieldsOf, isRecord } from "../json/fields.ts";
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
    const { kind, apiVersion, items } = fieldsOf(document);
    if (typeof kind !== "string" || !kind.endsWith("List") || items === undefined)
      return [objectOf(document)];
    // A template that went over nothing leaves `items:`.
    if (items === null) return [];
    if (!Array.isArray(items)) return [objectOf(document)];
    const itemKind = kind.replace(/List$/, "");
    return objectsOf(itemKind === "" ? items : items.map((item) => withKind(item, itemKind, apiVersion)));
  });
}

/** An item of a list of one kind, which need not say the kind itself. */
const withKind = (item: unknown, kind: string, apiVersion: unknown): unknown =>
  isRecord(item) && item.kind === undefined && item.apiVersion === undefined
    ? { apiVersion, kind, ...item }
    : item;

/** The namespace of an object: its own, else the default one; none where its kind has none. */
export const namespaceOf = (object: KubeObject, scope: Scope, byDefault: string): string | undefined =>
  scope === "Cluster" ? undefined : object.metadata.namespace || byDefault;
