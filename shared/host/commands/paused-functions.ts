import type { Clock } from "../../clock/clock.ts";
import type { KubeClient } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import { formerOf, HOME_NAMESPACE, inHome } from "../../kube/home.ts";
import { resourceOf } from "../../kube/kind.ts";
import { ConfigMap } from "../../kube/kinds/config-map.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Log } from "../../log/log.ts";
import { NO_VERSION } from "../../runner/fencing.ts";
import { orderOf, parseSaid, type Said } from "./order.ts";

/** The ConfigMap that says which functions are paused; `kubectl get configmap reveille-paused -o yaml` shows who asked. */
export const PAUSED_FUNCTIONS = "reveille-paused";
/** The time for which another host may go on with a function that was just paused. */
const FRESH_MILLISECONDS = 5_000;
const STALE_READS = 5;

/** A pause, or the end of one, as it is kept. */
export interface FunctionPause extends Said {
  readonly paused: boolean;
  readonly askedBy: string;
  readonly reason?: string | undefined;
}

/** The result of a pause, or of the end of one. */
export interface PauseSet {
  readonly outcome: "done" | "unchanged" | "superseded";
  /** True where anything was written: a command that is the newest leaves its mark also where it changes nothing. */
  readonly sent: boolean;
}

/** The functions that are paused. */
export interface PausedFunctions {
  /** True only where it is so now; false as this host last heard, at most 5 s ago. */
  has(name: string): Promise<boolean>;
  /**
   * Unless a later command about the function came before. The mark of the newest command always stays, so the order in which
   * commands arrive decides nothing.
   */
  set(name: string, pause: FunctionPause): Promise<PauseSet>;
}

export interface PausedFunctionsParts {
  readonly client: KubeClient;
  /** The namespace of the ConfigMap. Default: `reveille-system`. */
  readonly namespace?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Kept in the cluster, so that every host on every bus knows, and a lost bus forgets nothing. */
export function pausedFunctions(parts: PausedFunctionsParts): PausedFunctions {
  const { client, namespace = HOME_NAMESPACE, clock, log } = parts;
  const place = { namespace, name: PAUSED_FUNCTIONS };
  let names: ReadonlySet<string> = new Set();
  let until = Number.NEGATIVE_INFINITY;
  let reading: Promise<ReadonlySet<string>> | undefined;
  let told = false;
  /** The looks that have begun, and the last of them from which anything was learnt. */
  let looks = 0;
  let learnt = 0;

  /** @param look an older one than the last is of a state that has passed */
  const learn = (look: number, entries: Entries): ReadonlySet<string> => {
    const found = new Set(Object.keys(entries).filter((name) => isPause(entries[name])));
    if (look < learnt) return found;
    learnt = look;
    names = found;
    until = clock.now() + FRESH_MILLISECONDS;
    return found;
  };
  const read = async (): Promise<ReadonlySet<string>> => {
    const look = ++looks;
    try {
      return learn(look, (await readEntries(client, namespace)).entries);
    } catch (thrown) {
      if (!(thrown instanceof KubeError) || thrown.kind !== "forbidden") throw thrown;
      if (!told)
        log.error(
          { namespace, name: PAUSED_FUNCTIONS },
          "may not read which functions are paused, so none is: grant get on this ConfigMap",
        );
      told = true;
      return learn(look, {});
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
      // An item that is left alone is left for good: never on hearsay, since whoever resumes wakes at once what waits.
      return (await read()).has(name);
    },
    async set(name, pause) {
      for (let stale = 0; ; ) {
        const look = ++looks;
        const { live, entries } = await readEntries(client, namespace);
        const order = orderOf(pause, parseSaid(entries[name]));
        if (order !== "news") {
          learn(look, entries);
          return { outcome: order === "same" ? "done" : "superseded", sent: false };
        }
        const isSo = isPause(entries[name]) === pause.paused;
        const next = JSON.stringify(pause);
        try {
          await inHome(client, namespace, () =>
            write(client, place, live, { ...entriesOf(live), [name]: next }),
          );
          // Whoever looked before it was written may not have seen it.
          learn(++looks, { ...entries, [name]: next });
          return { outcome: isSo ? "unchanged" : "done", sent: true };
        } catch (thrown) {
          if (!(thrown instanceof KubeError) || thrown.kind !== "stale" || ++stale > STALE_READS)
            throw thrown;
        }
      }
    },
  };
}

/**
 * The entries of the ConfigMap, and of the one in the former namespace: of two about one function the later counts. Throws a
 * `KubeError`.
 */
export async function readEntries(
  client: Pick<KubeClient, "get">,
  namespace: string,
): Promise<{ readonly live: KubeObject | undefined; readonly entries: Entries }> {
  const former = formerOf(namespace);
  const [live, before] = await Promise.all([
    client.get(resourceOf(ConfigMap), { namespace, name: PAUSED_FUNCTIONS }),
    former === undefined ? undefined : readFormer(client, former),
  ]);
  const entries: Record<string, string> = { ...entriesOf(live) };
  for (const [name, text] of Object.entries(entriesOf(before))) {
    const said = parseSaid(text);
    if (said !== undefined && orderOf(said, parseSaid(entries[name])) === "news") entries[name] = text;
  }
  return { live, entries };
}

/** Nothing where it may not be read: who upgraded without the right has nothing there that could be known. */
async function readFormer(
  client: Pick<KubeClient, "get">,
  namespace: string,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(resourceOf(ConfigMap), { namespace, name: PAUSED_FUNCTIONS });
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "forbidden") return undefined;
    throw thrown;
  }
}

type Entries = Readonly<Record<string, string>>;
const entriesOf = (live: KubeObject | undefined): Entries => (live?.data ?? {}) as Entries;
const isPause = (entry: string | undefined): boolean => parsePause(entry)?.paused === true;

/** A pause as it is kept; undefined where somebody else wrote there. */
export function parsePause(entry: string | undefined): FunctionPause | undefined {
  const said = parseSaid(entry);
  if (said === undefined) return undefined;
  const { paused, askedBy, reason } = JSON.parse(entry ?? "{}") as Readonly<Record<string, unknown>>;
  return {
    ...said,
    paused: paused === true,
    askedBy: typeof askedBy === "string" ? askedBy : "somebody",
    ...(typeof reason === "string" && { reason }),
  };
}

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
      metadata: { ...place, resourceVersion: live?.metadata.resourceVersion ?? NO_VERSION },
      data: entries,
    },
    { fieldManager: "reveille-commands", force: true },
  );
