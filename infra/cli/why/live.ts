import { type PausedFunction, pauseOf } from "../../../shared/host/commands/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { subjectParts } from "../../../shared/kube/subject.ts";
import type { KnownKind } from "../../systems/declared.ts";
import type { Explanation, Happening, KeyState, Step } from "./chain.ts";

/** The objects that the API server still has, of some. */
export type LiveObjects = ReadonlyMap<string, KubeObject>;

/** Reads the objects that an explanation names, as far as their kinds are known. Throws a `KubeError`. */
export async function readLive(
  client: KubeClient,
  explanation: Explanation,
  kinds: readonly KnownKind[],
): Promise<LiveObjects> {
  const subjects = new Set([
    explanation.subject,
    ...explanation.steps.flatMap((step) =>
      step.step === "event" && step.subject !== undefined ? [step.subject] : [],
    ),
  ]);
  const found = await Promise.all(
    [...subjects].map(async (subject): Promise<readonly [string, KubeObject | undefined]> => {
      const { cluster, group, kind, namespace, name } = subjectParts(subject);
      // Objects in other clusters are not looked at: the history says how they were.
      if (cluster !== undefined) return [subject, undefined];
      const known = kinds.find((one) => one.group === group && one.kind === kind);
      if (known === undefined) return [subject, undefined];
      const place = { name, ...(namespace === "" ? {} : { namespace }) };
      return [subject, await client.get(known, place)];
    }),
  );
  return new Map(
    found.flatMap(([subject, object]) => (object === undefined ? [] : [[subject, object] as const])),
  );
}

/** Says of each function that is about the object who paused it, or the object. */
export const withPauses = (
  keys: readonly KeyState[],
  object: KubeObject | undefined,
  functions: readonly PausedFunction[],
): readonly KeyState[] =>
  keys.map((key) => {
    const paused = functions.find((one) => one.function === key.function) ?? (object && pauseOf(object));
    return { ...key, ...(paused !== undefined && { paused }) };
  });

/** Times of managed fields are whole seconds. */
const TOLERANCE = 1_500;

/** Names who did what happened outside of the functions: the field manager whose entry is of that time. */
export const withAuthors = (steps: readonly Step[], live: LiveObjects): readonly Step[] =>
  steps.map((step) =>
    step.step === "event" && step.by === undefined ? { ...step, by: authorOf(step, live) } : step,
  );

function authorOf({ subject, uid, at }: Happening, live: LiveObjects): string | undefined {
  const object = subject === undefined ? undefined : live.get(subject);
  if (object === undefined || object.metadata.uid !== uid) return undefined;
  const when = Date.parse(at);
  const [nearest] = (object.metadata.managedFields ?? [])
    .filter(
      ({ manager }) =>
        manager !== undefined && !(manager.startsWith("reveille-") && manager !== "reveille-simulator"),
    )
    .map((entry) => ({ entry, away: when - Date.parse(entry.time ?? "") }))
    .filter(({ away }) => away >= 0 && away <= TOLERANCE)
    .sort((a, b) => a.away - b.away);
  if (nearest === undefined) return undefined;
  const { manager, operation } = nearest.entry;
  return `${manager} (${operation?.toLowerCase() ?? "update"})`;
}
