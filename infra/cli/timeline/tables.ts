import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { apiVersionOf, type RawMetadata } from "../../../shared/kube/object.ts";
import { table } from "../../../shared/text.ts";

interface TableAnswer {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly {
    readonly cells: readonly unknown[];
    readonly object: { readonly metadata: RawMetadata };
  }[];
}

/** The API server's table of one kind. */
export interface KindTable {
  readonly kind: Kind;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly namespace: string | undefined;
    readonly name: string;
    readonly cells: readonly unknown[];
    /** Field managers of what stands in it. */
    readonly managers: readonly string[];
  }[];
}

const ACCEPT = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
/** The number of rows of one kind that are shown. */
const MAXIMUM_ROWS = 40;

/** Workloads tell how the functions' children fare; what else they own is detail. */
const isWorkload = ({ group, kind }: Kind): boolean =>
  (group === "apps" && kind !== "ReplicaSet") || group === "batch";
const managersOf = ({ managedFields }: RawMetadata): readonly string[] =>
  (managedFields ?? []).flatMap(({ manager }) => manager ?? []);
const isOurs = (metadata: RawMetadata): boolean =>
  managersOf(metadata).some((manager) => manager.startsWith("reveille-"));

/** Asks the server for the tables of the functions' own kinds and of the workloads that they own. */
export async function tablesOf(client: KubeClient, kinds: readonly Kind[]): Promise<readonly KindTable[]> {
  const shown = [
    ...kinds.filter(({ external }) => !external),
    ...kinds.filter((kind) => kind.external && isWorkload(kind)),
  ];
  const tables = await Promise.all(shown.map((kind) => tableOf(client, kind)));
  return tables.filter(({ rows }) => rows.length > 0);
}

async function tableOf(client: KubeClient, kind: Kind): Promise<KindTable> {
  const path = `${kind.group === "" ? "/api" : "/apis"}/${apiVersionOf(kind)}/${kind.plural}`;
  const answer = await client.raw("GET", path, { accept: ACCEPT }).catch((thrown: unknown) => {
    // A kind that this cluster does not have, or may not be seen, has no rows to show.
    if (thrown instanceof KubeError && ["missing", "kindMissing", "forbidden"].includes(thrown.kind))
      return undefined;
    throw thrown;
  });
  const { columnDefinitions = [], rows = [] } = (answer ?? {}) as Partial<TableAnswer>;
  const shown = columnDefinitions.flatMap(({ priority }, index) => (priority === 0 ? [index] : []));
  return {
    kind,
    columns: shown.map((index) => columnDefinitions[index]?.name ?? ""),
    rows: rows
      .filter(({ object }) => !kind.external || isOurs(object.metadata))
      .map(({ cells, object }) => ({
        namespace: object.metadata.namespace,
        name: object.metadata.name,
        cells: shown.map((index) => cells[index]),
        managers: managersOf(object.metadata),
      })),
  };
}

/** The table as `kubectl get -A` shows it, under the kind's name. */
export function tableText({ kind, columns, rows }: KindTable): string {
  const namespaced = kind.scope !== "Cluster";
  const shown = rows.slice(0, MAXIMUM_ROWS);
  const text = table(
    namespaced ? ["namespace", ...columns] : columns,
    shown.map(({ namespace, cells }) => (namespaced ? [namespace, ...cells] : cells)),
  );
  const more = rows.length - shown.length;
  return `${kind.kind}\n${text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")}${more > 0 ? `\n  … and ${more} more` : ""}`;
}
