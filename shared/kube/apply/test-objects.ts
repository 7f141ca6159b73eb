import type { KubeObject, ManagedFields } from "../object.ts";

/** The writer of these tests. */
export const ours = { fieldManager: "ours", custom: true };
/** Its entry in managedFields. */
export const entry = (fieldsV1: object, more: Partial<ManagedFields> = {}): ManagedFields => ({
  manager: "ours",
  operation: "Apply",
  apiVersion: "example.org/v1",
  fieldsType: "FieldsV1",
  fieldsV1: fieldsV1 as Record<string, unknown>,
  ...more,
});
/** A body of an apply. */
export const object = (fields: object, metadata: object = {}): KubeObject =>
  ({
    apiVersion: "example.org/v1",
    kind: "Thing",
    metadata: { name: "x", namespace: "n", ...metadata },
    ...fields,
  }) as KubeObject;
/** An object as the server has it, with the fields that the writer owns. */
export const live = (fields: object, managed: object, metadata: object = {}): KubeObject =>
  object(fields, {
    uid: "u",
    resourceVersion: "5",
    generation: 2,
    managedFields: [entry(managed)],
    ...metadata,
  });
