import {
  type PausedFunction,
  pauseOf,
  readPausedFunctions,
  type ToldPause,
} from "../../../shared/host/commands/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { shortTime } from "../../../shared/text.ts";

export interface PausedObject extends ToldPause {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** The functions and objects that are paused until somebody resumes them. */
export interface Paused {
  /** Undefined where whoever asks may not read it. */
  readonly functions: readonly PausedFunction[] | undefined;
  readonly objects: readonly PausedObject[];
}

export const pausedAmong = (objects: Iterable<KubeObject>): readonly PausedObject[] =>
  [...objects].flatMap((object) => {
    const pause = pauseOf(object);
    const { namespace, name } = object.metadata;
    return pause === undefined ? [] : [{ kind: object.kind, namespace, name, ...pause }];
  });

/** Undefined where whoever asks may not read which functions are paused. Throws a `KubeError`. */
export async function pausedFunctionsIn(
  client: KubeClient,
  home: string | undefined,
): Promise<readonly PausedFunction[] | undefined> {
  try {
    return await readPausedFunctions(client, home);
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "forbidden") return undefined;
    throw thrown;
  }
}

/** `by alice since 2026-01-15T10:00:00Z (5h): the registry moves`; nothing where nobody said. */
export function pauseText({ askedBy, since, reason }: ToldPause, now: number): string {
  const age = since === undefined ? "" : ` since ${since} (${shortTime(now - Date.parse(since))})`;
  return `${askedBy === undefined ? "" : ` by ${askedBy}`}${age}${reason === undefined ? "" : `: ${reason}`}`;
}

/** The paused functions and objects as lines for people; none where nothing is paused. */
export function pausedLines(paused: Paused | undefined, now: number): readonly string[] {
  if (paused === undefined) return [];
  const lines = [
    ...(paused.functions ?? []).map((one) => `  ${one.function}${pauseText(one, now)}`),
    ...paused.objects.map(
      (one) =>
        `  ${one.kind} ${one.namespace === undefined ? "" : `${one.namespace}/`}${one.name}${pauseText(one, now)}`,
    ),
  ];
  return [
    ...(paused.functions === undefined
      ? ["", "Which functions are paused cannot be told: get on the ConfigMap reveille-paused is not granted"]
      : []),
    ...(lines.length === 0
      ? []
      : ["", "Paused, and left alone until somebody resumes it (`reveille command resume`):", ...lines]),
  ];
}
