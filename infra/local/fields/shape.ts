import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject } from "../json.ts";
import type { ResourceType } from "../resource-type.ts";

/** The shape of values: how they merge, and who can own which part of them. */
export type Shape = MapShape | ListShape | ScalarShape | DeducedShape;
export interface MapShape {
  readonly kind: "map";
  readonly atomic: boolean;
  /** The declared fields. */
  readonly fields: ReadonlyMap<string, Shape>;
  /** The shape of other keys; undefined: other keys are not allowed. */
  readonly element: Shape | undefined;
}
export interface ListShape {
  readonly kind: "list";
  readonly merge: "atomic" | "set" | "map";
  /** The key fields of a list map, with their defaults. */
  readonly keys: readonly { readonly name: string; readonly default: unknown }[];
  readonly items: Shape;
}
export interface ScalarShape {
  readonly kind: "scalar";
  readonly type: "string" | "numeric" | "boolean" | "untyped";
}
/** The shape of a value that is not declared: objects are granular maps, lists atomic. */
export interface DeducedShape {
  readonly kind: "deduced";
}

const deduced: DeducedShape = { kind: "deduced" };
const text: ScalarShape = { kind: "scalar", type: "string" };
const untyped: ScalarShape = { kind: "scalar", type: "untyped" };
const deducedMap: MapShape = { kind: "map", atomic: false, fields: new Map(), element: deduced };
const deducedList: ListShape = { kind: "list", merge: "atomic", keys: [], items: deduced };

const mapOf = (element: Shape): MapShape => ({ kind: "map", atomic: false, fields: new Map(), element });
const record = (fields: Readonly<Record<string, Shape>>, atomic = false): MapShape => ({
  kind: "map",
  atomic,
  fields: new Map(Object.entries(fields)),
  element: undefined,
});
const numeric: ScalarShape = { kind: "scalar", type: "numeric" };
const flag: ScalarShape = { kind: "scalar", type: "boolean" };

/** Metadata is the same in all kinds. */
const metadata = record({
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: numeric,
  creationTimestamp: untyped,
  deletionTimestamp: untyped,
  deletionGracePeriodSeconds: numeric,
  labels: mapOf(text),
  annotations: mapOf(text),
  finalizers: { kind: "list", merge: "set", keys: [], items: text },
  ownerReferences: {
    kind: "list",
    merge: "map",
    keys: [{ name: "uid", default: undefined }],
    items: record(
      { apiVersion: text, kind: text, name: text, uid: text, controller: flag, blockOwnerDeletion: flag },
      true,
    ),
  },
  managedFields: { kind: "list", merge: "atomic", keys: [], items: deduced },
});
const typeFields: Readonly<Record<string, Shape>> = { apiVersion: text, kind: text, metadata };

const made = new WeakMap<StructuralSchema, Shape>();
const roots = new WeakMap<ResourceType, MapShape>();

/** The shape of whole objects of a type. */
export function rootShape(type: ResourceType): MapShape {
  let root = roots.get(type);
  if (root === undefined) {
    const declared = type.schema === undefined ? deducedMap : resolve(shapeOf(type.schema), {});
    const fields = declared.kind === "map" ? declared.fields : new Map<string, Shape>();
    root = {
      kind: "map",
      atomic: false,
      fields: new Map([...fields, ...Object.entries(typeFields)]),
      element: declared.kind === "map" ? declared.element : deduced,
    };
    roots.set(type, root);
  }
  return root;
}

function shapeOf(schema: StructuralSchema): Shape {
  let shape = made.get(schema);
  if (shape === undefined) {
    shape = makeShape(schema);
    made.set(schema, shape);
  }
  return shape;
}

function makeShape(schema: StructuralSchema): Shape {
  if (schema["x-kubernetes-int-or-string"] === true || "x-quantity" in schema) return untyped;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const properties = Object.entries(schema.properties ?? {});
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  switch (schema.type) {
    case "string":
      return text;
    case "integer":
    case "number":
      return numeric;
    case "boolean":
      return flag;
    case "array":
      return listShape(schema);
    default: {
      if (schema.type === undefined && properties.length === 0) return deduced;
      const { additionalProperties } = schema;
      if (properties.length === 0 && !embedded && !isObject(additionalProperties))
        return schema["x-kubernetes-map-type"] === "atomic" ? { ...deducedMap, atomic: true } : deduced;
      return {
        kind: "map",
        atomic: schema["x-kubernetes-map-type"] === "atomic",
        fields: new Map([
          ...(embedded ? Object.entries(typeFields) : []),
          ...properties.map(([name, field]): [string, Shape] => [
            name,
            embedded && name === "metadata" ? metadata : shapeOf(field),
          ]),
        ]),
        element: isObject(additionalProperties)
          ? shapeOf(additionalProperties)
          : preserves || additionalProperties === true
            ? deduced
            : undefined,
      };
    }
  }
}

function listShape(schema: StructuralSchema): ListShape {
  const { items } = schema;
  return {
    kind: "list",
    merge: schema["x-kubernetes-list-type"] ?? "atomic",
    keys: (schema["x-kubernetes-list-map-keys"] ?? []).map((name) => ({
      name,
      default: items?.properties?.[name]?.default,
    })),
    items: items === undefined ? deduced : shapeOf(items),
  };
}

/** The shape of a value: decides deduced shapes by the value. */
export function resolve(shape: Shape, value: unknown): MapShape | ListShape | ScalarShape {
  if (shape.kind !== "deduced") return shape;
  if (Array.isArray(value)) return deducedList;
  return isObject(value) ? deducedMap : untyped;
}

/** The shape below a key of a map; undefined where the key is not allowed. */
export const fieldShape = (shape: MapShape, name: string): Shape | undefined =>
  shape.fields.get(name) ?? shape.element;
