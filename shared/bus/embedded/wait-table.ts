import type { WaitedObject } from "../contract.ts";
import type { Database } from "./database.ts";

interface FollowedRow {
  readonly cluster: string;
  readonly kube_group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
}

/** The index of waits: the keys that wait for each object (B11). The truth lies with the key; here it is found by object. */
export function openWaitTable(database: Database) {
  const add = database.prepare(
    "INSERT OR IGNORE INTO waits (cluster, kube_group, kind, namespace, name, version, key_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const clear = database.prepare("DELETE FROM waits WHERE key_id = ?");
  const find = database.prepare(
    "SELECT key_id FROM waits WHERE cluster = ? AND kube_group = ? AND kind = ? AND namespace = ? AND name = ?",
  );
  const followed = database.prepare(
    "SELECT cluster, kube_group, kind, namespace, name, max(version) AS version FROM waits WHERE version <> '' GROUP BY cluster, kube_group, kind, namespace, name",
  );
  return {
    replace: (keyId: number, waits: readonly WaitedObject[]): void => {
      clear.run(keyId);
      for (const { cluster, group, kind, namespace, name, version } of waits)
        add.run(cluster, group, kind, namespace ?? "", name, version ?? "", keyId);
    },
    /** The rows of the keys that wait for this object. */
    waitingFor: ({ cluster, group, kind, namespace, name }: WaitedObject): readonly number[] =>
      find
        .all<{ readonly key_id: number }>(cluster, group, kind, namespace ?? "", name)
        .map((row) => row.key_id),
    /** The objects that keys wait for and that no watch list covers. */
    followed: (): readonly WaitedObject[] =>
      followed.all<FollowedRow>().map(({ cluster, kube_group: group, kind, namespace, name, version }) => ({
        cluster,
        group,
        kind,
        ...(namespace !== "" && { namespace }),
        name,
        version,
      })),
  };
}
export type WaitTable = ReturnType<typeof openWaitTable>;
