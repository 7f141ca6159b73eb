import type { Clock } from "../../clock/clock.ts";
import type { KubeClient } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import { resourceOf } from "../../kube/kind.ts";
import { ConfigMap } from "../../kube/kinds/config-map.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Log } from "../../log/log.ts";
import { orderOf, parseSaid, type Said } from "./order.ts";

/** The ConfigMap that says which functions are paused; `kubectl get configmap reveille-paused -o yaml` shows who asked. */
export const PAUSED_FUNCTIONS = "reveille-paused";
/** So long another host may go on with a function that was just paused. */
const FRESH_MILLISECONDS = 5_000;
const STALE_READS = 5;

/** A pause, or the end of one, as it is kept. */
export interface FunctionPause extends Said {
  readonly paused: boolean;
  readonly askedBy: string;
  readonly reason?: string | undefined;
}

/** Which functions are left alone. */
export interface PausedFunctions {
  /** True only where it is so now; false as this host last heard, at most 5 s ago. */
  has(name: string): Promise<boolean>;
  /** Unless a later command about the function came before. */
  set(name: string, pause: FunctionPause): Promise<"done" | "unchanged" | "superseded">;
}

export interface PausedFunctionsParts {
  readonly client: KubeClient;
  /** Where the ConfigMap lies. Default: `default`, where the watcher's Lease is. */
  readonly namespace?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Kept in the cluster, so that every host on every bus knows, and a lost bus forgets nothing. */
export function pausedFunctions(parts: PausedFunctionsParts): PausedFunctions {
  const { client, namespace = "default", clock, log } = parts;
  const resource = resourceOf(ConfigMap);
  const place = { namespace, name: PAUSED_FUNCTIONS };
  let names: ReadonlySet<string> = new Set();
  let until = Number.NEGATIVE_INFINITY;
  let reading: Promise<ReadonlySet<string>> | undefined;
  let told = false;

  const learn = (entries: Entries): ReadonlySet<string> => {
    names = new Set(Object.keys(entries).filter((name) => isPause(entries[name])));
    until = clock.now() + FRESH_MILLISECONDS;
    return names;
  };
  const read = async (): Promise<ReadonlySet<string>> => {
    try {
      return learn(entriesOf(await client.get(resource, place)));
    } catch (thrown) {
      if (!(thrown instanceof KubeError) || thrown.kind !== "forbidden") throw thrown;
      if (!told)
        log.error(
          { namespace, name: PAUSED_FUNCTIONS },
          "may not read which functions are paused, so none is: grant get on this ConfigMap",
        );
      told = true;
      return learn({});
    }
  };
  return {
    async has(name) {
      if (clock.now() >= until) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      if (!names.has(name)) return false;
      // What is left alone is left for good: never on hearsay, since whoever resumes wakes at once what waits.
      return (await read()).has(name);
    },
    async set(name, pause) {
      for (let stale = 0; ; ) {
        const live = await client.get(resource, place);
        const entries = entriesOf(live);
        const order = orderOf(pause, parseSaid(entries[name]));
        if (order === "older") return "superseded";
        const before = isPause(entries[name]);
        if (order === "same" || before === pause.paused) {
          learn(entries);
          return order === "same" ? "done" : "unchanged";
        }
        const next = { ...entries, [name]: JSON.stringify(pause) };
        try {
          await write(client, place, live, next);
          learn(next);
          return "done";
        } catch (thrown) {
          if (!(thrown instanceof KubeError) || thrown.kind !== "stale" || ++stale > STALE_READS)
            throw thrown;
        }
      }
    },
  };
}

type Entries = Readonly<Record<string, string>>;
const entriesOf = (live: KubeObject | undefined): Entries => (live?.data ?? {}) as Entries;
const isPause = (entry: string | undefined): boolean =>
  parseSaid(entry) !== undefined &&
  (JSON.parse(entry ?? "{}") as { readonly paused?: unknown }).paused === true;

/** Fenced with what was read; a version that no object has where there was none. */
const write = (
  client: KubeClient,
  place: { readonly namespace: string; readonly name: string },
  live: KubeObject | undefined,
  entries: Entries,
): Promise<KubeObject> =>
  client.apply(
    resourceOf(ConfigMap),
    place,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { ...place, resourceVersion: live?.metadata.resourceVersion ?? "1" },
      data: entries,
    },
    { fieldManager: "reveille-commands", force: true },
  );
