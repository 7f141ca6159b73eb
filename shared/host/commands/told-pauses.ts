import { PAUSED } from "../../function/heeded.ts";
import type { KubeClient } from "../../kube/client.ts";
import { HOME_NAMESPACE } from "../../kube/home.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type FunctionPause, parsePause, readEntries } from "./paused-functions.ts";
import { PAUSE_COMMAND } from "./paused-object.ts";

/** The author, time and reason of a pause. An object that was paused by hand has none: no command left its mark. */
export interface ToldPause {
  /** RFC 3339. */
  readonly since?: string | undefined;
  readonly askedBy?: string | undefined;
  readonly reason?: string | undefined;
}

export interface PausedFunction extends ToldPause {
  readonly function: string;
  readonly since: string;
}

/** The functions that are paused now. Throws a `KubeError`. */
export async function readPausedFunctions(
  client: Pick<KubeClient, "get">,
  namespace: string = HOME_NAMESPACE,
): Promise<readonly PausedFunction[]> {
  return pausesIn((await readEntries(client, namespace)).entries);
}

/** The functions that the ConfigMap names as paused. */
export const pausedFunctionsOf = (kept: KubeObject | undefined): readonly PausedFunction[] =>
  pausesIn((kept?.data ?? {}) as Readonly<Record<string, string>>);

const pausesIn = (entries: Readonly<Record<string, string>>): readonly PausedFunction[] =>
  Object.entries(entries).flatMap(([name, text]) => {
    const pause = parsePause(text);
    return pause?.paused === true ? [{ function: name, ...told(pause) }] : [];
  });

/** The pause of an object; undefined where it is not paused. */
export function pauseOf({ metadata }: KubeObject): ToldPause | undefined {
  const { [PAUSED]: paused, [PAUSE_COMMAND]: mark } = metadata.annotations ?? {};
  if (paused !== "true") return undefined;
  const pause = parsePause(mark);
  return pause?.paused === true ? told(pause) : {};
}

const told = ({ at, askedBy, reason }: FunctionPause): ToldPause & { readonly since: string } => ({
  since: at,
  askedBy,
  ...(reason !== undefined && { reason }),
});
