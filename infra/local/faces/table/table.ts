import type { ResourceType, TableOf } from "../../resource-type.ts";
import { builtInColumns } from "./built-in.ts";
import type { TableColumn } from "./columns.ts";
import { customColumns } from "./custom.ts";

const columnsByType = new WeakMap<ResourceType, readonly TableColumn[]>();

function columnsOf(type: ResourceType): readonly TableColumn[] {
  let columns = columnsByType.get(type);
  if (columns === undefined) {
    columns = type.custom ? customColumns(type) : builtInColumns(type);
    columnsByType.set(type, columns);
  }
  return columns;
}

/** The table that kubectl prints. */
export const tableOf: TableOf = (type, objects, { includeObject, withoutColumns, listMetadata, now }) => {
  const columns = columnsOf(type);
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: listMetadata,
    columnDefinitions: withoutColumns ? null : columns.map(({ cell: _, ...definition }) => definition),
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, now)),
      ...(includeObject === "None"
        ? {}
        : {
            object:
              includeObject === "Object"
                ? object
                : { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata },
          }),
    })),
  };
};
