import type { KubeObject } from "../../../../shared/kube/object.ts";

/** A cell of a table. */
export type Cell = string | number | boolean | null;

/** A column as it is announced to kubectl. Priority above 0: only with `-o wide`. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** A column, and what stands in it. */
export interface TableColumn extends ColumnDefinition {
  cell(object: KubeObject, now: number): Cell;
}

/** A column of a built-in kind. */
export const column = (
  name: string,
  cell: TableColumn["cell"],
  more: {
    readonly type?: string;
    readonly format?: string;
    readonly wide?: boolean;
    readonly description?: string;
  } = {},
): TableColumn => ({
  name,
  type: more.type ?? "string",
  format: more.format ?? "",
  description: more.description ?? "",
  priority: more.wide === true ? 1 : 0,
  cell,
});
