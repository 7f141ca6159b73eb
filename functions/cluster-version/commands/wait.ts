import { waitUntil as waitUntilNothingLacks } from "../../../shared/function/wait-until.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ClusterOperator, ClusterVersion, type HistoryEntry } from "../kinds/index.ts";
import { missing, type Want, type Watched } from "../status/index.ts";

/** The wants for one object. */
export interface Wish {
  readonly kind: "ClusterOperator" | "ClusterVersion";
  readonly name: string;
  readonly wants: readonly Want[];
}

/** The missing wants of an object. */
export interface Lack {
  readonly name: string;
  readonly missing: readonly string[];
}

/** A ClusterVersion is at the version of the newest release that was applied whole, as its column Version shows. */
function withVersions(object: KubeObject): Watched {
  if (object.kind !== "ClusterVersion") return object as Watched;
  const { history = [] } = (object.status ?? {}) as { readonly history?: readonly HistoryEntry[] };
  const version = history.find(({ state }) => state === "Completed")?.version;
  const versions = version === undefined ? [] : [{ name: "operator", version }];
  return { ...object, status: { ...(object.status as Watched["status"]), versions } };
}

/** The missing parts of all wishes now; each object counts as one read of it. */
export const lacking = (
  wishes: readonly Wish[],
  find: (wish: Wish) => KubeObject | undefined,
): readonly Lack[] =>
  wishes.flatMap((wish) => {
    const name = wish.kind === "ClusterVersion" ? "the cluster version" : wish.name;
    const object = find(wish);
    const lacks = object === undefined ? ["it does not exist"] : missing(withVersions(object), wish.wants);
    return lacks.length === 0 ? [] : [{ name, missing: lacks }];
  });

/** Watches until all wishes hold at the same moment: true. False where that did not come to pass within the limit. */
export const waitUntil = (
  client: KubeClient,
  wishes: readonly Wish[],
  options: Parameters<typeof waitUntilNothingLacks<Lack>>[3],
): Promise<boolean> =>
  waitUntilNothingLacks(
    client,
    [ClusterOperator, ClusterVersion].filter(({ kind }) => wishes.some((wish) => wish.kind === kind)),
    (find) => lacking(wishes, find),
    options,
  );
