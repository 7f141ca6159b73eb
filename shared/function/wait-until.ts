import { type Clock, systemClock } from "../clock/clock.ts";
import type { KubeClient } from "../kube/client.ts";
import { type Kind, resourceOf } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Follow } from "./following.ts";

/** Looks up an object among those that are followed, as it is now. */
export type FindObject = (at: {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}) => KubeObject | undefined;

/** The time that a cluster which answers may take to list the objects, in milliseconds. */
const FIRST_LOOK = 60_000;

/**
 * For commands with `--wait`: follows some kinds until nothing is missing of what is waited for, all at the same moment: true. False where
 * that did not come to pass within the limit. `told` hears what is missing whenever that changes.
 */
export async function waitUntil<Lack>(
  client: KubeClient,
  kinds: readonly Kind[],
  lacking: (find: FindObject) => readonly Lack[],
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
  const placeOf = ({ kind, name, namespace = "" }: Parameters<FindObject>[0]): string =>
    `${kind}/${namespace}/${name}`;
  let synced = false;
  let before: string | undefined;
  let finish: (met: boolean) => void = () => undefined;
  const finished = new Promise<boolean>((resolve) => {
    finish = resolve;
  });
  const look = (): void => {
    if (!synced) return;
    const lacks = lacking((at) => objects.get(placeOf(at)));
    if (lacks.length === 0) finish(true);
    const text = JSON.stringify(lacks);
    if (text !== before) told(lacks);
    before = text;
  };
  const followed = kinds.map((kind) =>
    follow<KubeObject>({
      client,
      resource: resourceOf(kind),
      keep: (object) => ({ ...object, kind: kind.kind }),
      changed: (now) => {
        objects.set(placeOf({ kind: kind.kind, ...now.metadata }), now);
        look();
      },
      deleted: (gone) => {
        const place = placeOf({ kind: kind.kind, ...gone.metadata });
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
    await Promise.race([Promise.all(followed.map((one) => one.synced)), finished]);
    synced = true;
    cancel();
    cancel = clock.after(limitMilliseconds, () => finish(false));
    look();
    return await finished;
  } finally {
    cancel();
    signal?.removeEventListener("abort", abort);
    await Promise.all(followed.map((one) => one.stop()));
  }
}
