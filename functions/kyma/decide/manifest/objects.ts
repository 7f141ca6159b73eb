import { fieldOf, fieldsOf, isRecord, listOf, textOf } from "../../../../shared/json/fields.ts";
import { sameJson } from "../../../../shared/json/same-json.ts";
import { conditionEquals } from "../../../../shared/kube/conditions.ts";
import { apiVersionOf, type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import { identityOf } from "../../../../shared/manifests/object-of.ts";
import { objectsOf, type Scope } from "../../../../shared/manifests/objects.ts";
import { GROUPS } from "./groups.ts";
import { DEFAULT_NAMESPACE } from "./marks.ts";
import { isName } from "./object-name.ts";
import type { Named } from "./world.ts";

/** The objects of an artifact, or in words why it is none. */
export type LayerObjects =
  | {
      readonly objects: readonly KubeObject[];
      /** Those that stand there again, and otherwise: they do not count. */
      readonly doubled: readonly KubeObject[];
    }
  | { readonly fault: string };

/** The objects of an artifact's documents. Of those that are there twice the first counts. */
export function layerObjects(documents: readonly unknown[]): LayerObjects {
  const objects = new Map<string, KubeObject>();
  const doubled: KubeObject[] = [];
  const found = documents.flatMap((document) =>
    objectsOf([document]).map((object) => ({ document, object })),
  );
  const scopes = definedScopes(found.flatMap(({ object }) => (typeof object === "string" ? [] : [object])));
  for (const [at, { document, object }] of found.entries()) {
    const wrong = typeof object === "string" ? `${object}${hintAt(document)}` : metadataFault(object);
    if (typeof object === "string" || wrong !== undefined) {
      const kind = textOf(fieldOf(document, "kind"));
      return { fault: `its object ${at + 1}${kind === "" ? "" : ` (${kind})`} is none: ${wrong}` };
    }
    // The one without a namespace is placed in that one; that of a kind without any means nothing.
    const isInNone =
      CLUSTER_KINDS.has(scopeKey(kindOf(object))) || scopes.get(scopeKey(kindOf(object))) === "Cluster";
    const namespace = isInNone ? "" : object.metadata.namespace || DEFAULT_NAMESPACE;
    const key = identityOf({ ...object, metadata: { ...object.metadata, namespace } });
    const first = objects.get(key);
    if (first === undefined) objects.set(key, object);
    else if (!sameJson(first, object)) doubled.push(object);
  }
  return { objects: [...objects.values()], doubled };
}

/** The key of a kind in a map of scopes. */
export function scopeKey({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${kind}.${group}`;
}

/** Kinds of every server whose objects lie in no namespace, as far as modules bring them. */
const CLUSTER_KINDS: ReadonlySet<string> = new Set(
  Object.entries({
    "": ["Namespace", "Node", "PersistentVolume"],
    "admissionregistration.k8s.io": [
      "MutatingWebhookConfiguration",
      "ValidatingAdmissionPolicy",
      "ValidatingAdmissionPolicyBinding",
      "ValidatingWebhookConfiguration",
    ],
    "apiextensions.k8s.io": ["CustomResourceDefinition"],
    "apiregistration.k8s.io": ["APIService"],
    "networking.k8s.io": ["IngressClass"],
    "node.k8s.io": ["RuntimeClass"],
    "rbac.authorization.k8s.io": ["ClusterRole", "ClusterRoleBinding"],
    "scheduling.k8s.io": ["PriorityClass"],
    "storage.k8s.io": ["CSIDriver", "StorageClass"],
  }).flatMap(([group, kinds]) => kinds.map((kind) => scopeKey({ group, kind }))),
);
/** A kind in a map: its group and kind, whatever the version. */
export const kindOf = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">) => ({
  group: parseApiVersion(apiVersion).group,
  kind,
});

/** Words for whoever wrote a name that is none. */
function hintAt(document: unknown): string {
  const { name, generateName } = fieldsOf(fieldOf(document, "metadata"));
  if (typeof name === "number" || typeof name === "boolean") return `: write ${name} in quotes`;
  return generateName === undefined ? "" : ": generateName would make one more each time, so write a name";
}

/** The field of an object's metadata that no server takes, in words; undefined where all is well. */
export function metadataFault({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  const given = fieldsOf(metadata);
  const texts = (["labels", "annotations"] as const).flatMap((field) =>
    Object.entries(fieldsOf(given[field])).map(([key, value]) => [`${field}.${key}`, value] as const),
  );
  for (const field of ["labels", "annotations"])
    if (!isRecord(given[field] ?? {})) return `its metadata.${field} is no map`;
  for (const [field, value] of [["namespace", given.namespace ?? ""] as const, ...texts])
    if (typeof value !== "string")
      return `its metadata.${field} is ${typeof value === "object" ? "no text" : `${String(value)}: write it in quotes`}`;
  if (!Array.isArray(given.finalizers ?? [])) return "its metadata.finalizers is no list";
  const wrong = (["name", "namespace"] as const).find(
    (field) => textOf(given[field]) !== "" && !isName(textOf(given[field])),
  );
  return (
    wrong &&
    `its metadata.${wrong} is ${JSON.stringify(given[wrong])}, which no server takes: it may hold neither / nor %`
  );
}

/** True for the definition of a kind. */
export const isDefinition = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): boolean =>
  kind === "CustomResourceDefinition" && parseApiVersion(apiVersion).group === GROUPS.definitions;

/** True for what others need before they can be applied. */
export const comesFirst = (object: Pick<KubeObject, "apiVersion" | "kind">): boolean =>
  isDefinition(object) || (object.kind === "Namespace" && object.apiVersion === "v1");

/** The scopes that the definitions among objects give their kinds, by group and kind: the server need not know these yet. */
export const definedScopes = (objects: readonly KubeObject[]): ReadonlyMap<string, Scope> =>
  new Map(
    objects.filter(isDefinition).map(({ spec }) => {
      const { group, names, scope } = fieldsOf(spec);
      return [
        scopeKey({ group: textOf(group), kind: textOf(fieldOf(names, "kind")) }),
        scope === "Cluster" ? "Cluster" : "Namespaced",
      ];
    }),
  );

/** The versions of a kind that the definitions among objects have the server offer. */
export const versionsOf = (
  objects: readonly KubeObject[],
  of: { readonly group: string; readonly kind: string },
): readonly string[] =>
  objects
    .filter(isDefinition)
    .filter(({ spec }) => {
      const { group, names } = fieldsOf(spec);
      return scopeKey({ group: textOf(group), kind: textOf(fieldOf(names, "kind")) }) === scopeKey(of);
    })
    .flatMap(servedVersions);

/** An object by a name under which the server will know it once these definitions are applied. */
export function inServedVersion(of: Named, definitions: readonly KubeObject[]): Named {
  const { group, version } = parseApiVersion(of.apiVersion);
  const [first, ...others] = versionsOf(definitions, kindOf(of));
  if (first === undefined || [first, ...others].includes(version)) return of;
  return { ...of, apiVersion: apiVersionOf({ group, version: first }) };
}

/** The versions of its kind that a definition has the server offer. */
export const servedVersions = (definition: object): readonly string[] =>
  listOf(fieldOf(fieldOf(definition, "spec"), "versions")).flatMap((version) =>
    fieldOf(version, "served") === true ? [textOf(fieldOf(version, "name"))] : [],
  );

/** True once the server serves the kind of a definition. */
export const isServed = (definition: { readonly status?: unknown }): boolean =>
  conditionEquals(
    listOf(fieldOf(definition.status, "conditions")) as readonly { type: string; status: string }[],
    "Established",
    "True",
  );
