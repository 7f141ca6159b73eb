import type { KubeObject } from "../../../../shared/kube/object.ts";
import { isObject } from "../../json.ts";
import type { PrinterColumn, ResourceType } from "../../resource-type.ts";
import { type Cell, column, type TableColumn } from "./columns.ts";
import { ageText } from "./duration.ts";
import { findAll } from "./json-path.ts";

/** The columns that a CRD declares; name and age where it declares none. */
export function customColumns(type: ResourceType): readonly TableColumn[] {
  const declared: readonly PrinterColumn[] =
    type.columns.length > 0
      ? type.columns
      : [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }];
  return [
    column("Name", ({ metadata }) => metadata.name, { format: "name" }),
    ...declared.map((one) => ({
      name: one.name,
      type: one.type,
      format: one.format ?? "",
      description: one.description ?? "",
      priority: one.priority ?? 0,
      cell: (object: KubeObject, now: number) => cellOf(one.type, findAll(object, one.jsonPath)[0], now),
    })),
  ];
}

function cellOf(type: string, value: unknown, now: number): Cell {
  if (value === undefined || value === null) return null;
  switch (type) {
    case "date":
      return typeof value === "string" ? ageText(value, now) : null;
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    default:
      return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  }
}
