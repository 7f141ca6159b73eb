import * as z from "zod";
import { nearest } from "../../../events/nearest.ts";
import { ReveilleError } from "../../../shared/errors.ts";
import { SWEEP_EVENT } from "./sweep.ts";

/** A Lambda was invoked with something that it does not take. */
export class LambdaEventError extends ReveilleError {}

/** A request of a person, or of a schedule, to a function's Lambda. */
export type ByHand =
  | { readonly asks: "sweep" }
  /** The event itself is checked by whoever runs it. */
  | { readonly asks: "run"; readonly event: unknown; readonly dryRun: boolean };

const sweep = z.strictObject({ reveille: z.literal(SWEEP_EVENT.reveille) });
const wrapped = z.strictObject({ event: z.looseObject({}), dryRun: z.boolean().optional() });

/**
 * Reads it: a CloudEvent, `{"event": …, "dryRun": true}`, or `{"reveille": "sweep"}`.
 * @throws LambdaEventError for everything else: a wish that is misspelt would be left out, and a dry run be a real one
 */
export function readByHand(input: unknown): ByHand {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw malformed([
      `expected an object, received ${input === null ? "null" : Array.isArray(input) ? "an array" : typeof input}`,
    ]);
  if ("specversion" in input) return { asks: "run", event: input, dryRun: false };
  if ("reveille" in input) {
    const { error } = sweep.safeParse(input);
    if (error === undefined) return { asks: "sweep" };
    throw malformed(faultsOf(error, Object.keys(sweep.shape)));
  }
  const { data: asked, error } = wrapped.safeParse(input);
  if (error !== undefined) throw malformed(faultsOf(error, Object.keys(wrapped.shape)));
  return { asks: "run", event: asked.event, dryRun: asked.dryRun ?? false };
}

const faultsOf = ({ issues }: z.ZodError, known: readonly string[]): readonly string[] =>
  issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const meant = nearest(key, known);
        return `${key}: is unknown; ${meant === undefined ? `there are ${known.join(", ")}` : `did you mean ${meant}?`}`;
      });
    return [`${issue.path.join(".")}: ${issue.message.replace(/^Invalid input: /, "")}`];
  });

const malformed = (issues: readonly string[]): LambdaEventError =>
  new LambdaEventError(
    "LAMBDA_EVENT_MALFORMED",
    `This is neither a CloudEvent, nor {"event": …, "dryRun": true}, nor {"reveille": "sweep"}: ${issues.join("; ")}.`,
  );
