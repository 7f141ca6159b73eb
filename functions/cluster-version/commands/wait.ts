import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import type { Follow } from "../../../shared/function/following.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ClusterOperator, ClusterVersion, type HistoryEntry } from "../kinds/index.ts";
import { missing, type Want, type Watched } from "../status/index.ts";

/** What is waited for in one object. */
export interface Wish {
  readonly kind: "ClusterOperator" | "ClusterVersion";
  readonly name: string;
  readonly wants: readonly Want[];
}

/** What is still missing of an object. */
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

/** What is missing of all wishes now; each object counts as one read of it. */
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

/** How long a cluster that answers may take to list what is asked about, in milliseconds. */
const FIRST_LOOK = 60_000;

/**
 * Watches until all wishes hold at the same moment: true. False where that did not come to pass within the limit. `told` hears what
 * is missing whenever that changes.
 */
export async function waitUntil(
  client: KubeClient,
  wishes: readonly Wish[],
  options: {
    readonly follow: Follow;
    readonly limitMilliseconds: number;
    readonly told: (lacks: readonly Lack[]) => void;
    readonly signal?: AbortSignal | undefined;
    readonly clock?: Clock;
  },
): Promise<boolean> {
  const { clock = systemClock, follow, told, limitMilliseconds, signal } = options;
  const objects = new Map<string, KubeObject>();
  const placeOf = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
    `${kind}/${name}`;
  let synced = false;
  let before: string | undefined;
  let finish: (met: boolean) => void = () => undefined;
  const finished = new Promise<boolean>((resolve) => {
    finish = resolve;
  });
  const look = (): void => {
    if (!synced) return;
    const lacks = lacking(wishes, (wish) => objects.get(placeOf(wish)));
    if (lacks.length === 0) finish(true);
    const text = JSON.stringify(lacks);
    if (text !== before) told(lacks);
    before = text;
  };
  const kinds = [ClusterOperator, ClusterVersion].filter(({ kind }) =>
    wishes.some((wish) => wish.kind === kind),
  );
  const reflectors = kinds.map((kind) =>
    follow<KubeObject>({
      client,
      resource: resourceOf(kind),
      keep: (object) => ({ ...object, kind: kind.kind }),
      changed: (now) => {
        objects.set(placeOf({ kind: kind.kind, name: now.metadata.name }), now);
        look();
      },
      deleted: (gone) => {
        const place = placeOf({ kind: kind.kind, name: gone.metadata.name });
        if (objects.get(place)?.metadata.uid === gone.metadata.uid) objects.delete(place);
        look();
      },
    }),
  );
  // The limit is about what is waited for: on a busy machine the first look may take longer than a short one.
  let cancel = clock.after(limitMilliseconds + FIRST_LOOK, () => finish(false));
  const abort = (): void => finish(false);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  try {
    await Promise.race([Promise.all(reflectors.map((reflector) => reflector.synced)), finished]);
    synced = true;
    cancel();
    cancel = clock.after(limitMilliseconds, () => finish(false));
    look();
    return await finished;
  } finally {
    cancel();
    signal?.removeEventListener("abort", abort);
    await Promise.all(reflectors.map((reflector) => reflector.stop()));
  }
}
