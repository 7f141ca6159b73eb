import type * as z from "zod";
import { commandOutcome } from "./command-outcome.ts";
import { commandPause } from "./command-pause.ts";
import { commandRecheckRelease } from "./command-recheck-release.ts";
import { commandReconcile } from "./command-reconcile.ts";
import { commandRedrive } from "./command-redrive.ts";
import { commandResume } from "./command-resume.ts";
import { dependencyLost } from "./dependency-lost.ts";
import { dependencyReady } from "./dependency-ready.ts";
import { type Envelope, type EventDefinition, envelope } from "./envelope.ts";
import { nearest } from "./nearest.ts";
import { releasePublished } from "./release-published.ts";
import { resourceChanged } from "./resource-changed.ts";
import { resourceDeleted } from "./resource-deleted.ts";
import { timerDue } from "./timer-due.ts";

const definitions: readonly EventDefinition[] = [
  commandOutcome,
  commandPause,
  commandRecheckRelease,
  commandReconcile,
  commandRedrive,
  commandResume,
  dependencyLost,
  dependencyReady,
  releasePublished,
  resourceChanged,
  resourceDeleted,
  timerDue,
];

/** Every event type that travels on the bus, by its name. */
export const catalogue: ReadonlyMap<string, EventDefinition> = new Map(
  definitions.map((definition) => [definition.type, definition]),
);

/** The result of `parseEvent`: the event, or each fault with its path (`data.ref.name: expected string`). */
export type ParsedEvent =
  | { readonly ok: true; readonly event: Envelope }
  | { readonly ok: false; readonly issues: readonly string[] };

/** The faults as sentences, each with its path; for an unknown field, with the name that was probably meant. */
function sentences(
  issues: readonly z.core.$ZodIssue[],
  prefix: string,
  schema: z.ZodType,
): readonly string[] {
  return issues.flatMap((issue) => {
    const path = [...(prefix === "" ? [] : [prefix]), ...issue.path.map(String)];
    if (issue.code === "unrecognized_keys") {
      const known = fieldsAt(schema, issue.path);
      return issue.keys.map((key) => {
        const meant = nearest(key, known);
        const hint = meant === undefined ? `there are ${known.join(", ")}` : `did you mean ${meant}?`;
        return `${[...path, key].join(".")}: is unknown; ${hint}`;
      });
    }
    const message = issue.message.replace(/^Invalid input: /, "");
    return [path.length === 0 ? message : `${path.join(".")}: ${message}`];
  });
}

/** The names of the fields at a path of a schema; none where there is no object. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional") return fieldsAt(def.innerType, path);
  if (def.type !== "object") return [];
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(def.shape);
  const inner = def.shape[String(first)];
  return inner === undefined ? [] : fieldsAt(inner, rest);
}

/**
 * Checks an event against the envelope and the schema of its type. Nothing is changed on the way: what is published is
 * what was sent, so that an event of a newer version keeps the fields that this version does not know.
 */
export function parseEvent(
  input: unknown,
  types: ReadonlyMap<string, EventDefinition> = catalogue,
): ParsedEvent {
  const outer = envelope.safeParse(input);
  if (!outer.success) return { ok: false, issues: sentences(outer.error.issues, "", envelope) };
  const event: Envelope = outer.data;
  const definition = types.get(event.type);
  if (definition === undefined)
    return {
      ok: false,
      issues: [`type: ${event.type} is unknown; known are ${[...types.keys()].join(", ")}`],
    };
  const inner = definition.data.safeParse(event.data);
  if (!inner.success) return { ok: false, issues: sentences(inner.error.issues, "data", definition.data) };
  return { ok: true, event };
}
