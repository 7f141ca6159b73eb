import * as z from "zod";
import type { AnyOutcome, Concluded, Ending, FunctionDeclaration } from "../function/declaration.ts";
import { DeclarationError } from "../function/system.ts";
import { accepts } from "../schema/accepts.ts";

const PARTS = new Set([
  "effects",
  "conclude",
  "status",
  "waitingFor",
  "wakeAt",
  "again",
  "retry",
  "finalized",
]);
const CONCLUDED = new Set([
  ...[...PARTS].filter((part) => part !== "effects" && part !== "conclude"),
  "record",
]);

/** Refuses what TypeScript lets through: a promise, or parts that an outcome does not have. */
export function checkOutcome(
  declaration: FunctionDeclaration,
  outcome: unknown,
): asserts outcome is AnyOutcome & { readonly finalized?: boolean } {
  checkParts(declaration, outcome, PARTS);
}

/** The same for what `conclude` returns. */
export function checkConcluded(
  declaration: FunctionDeclaration,
  ending: unknown,
): asserts ending is Concluded {
  checkParts(declaration, ending, CONCLUDED);
}

function checkParts(declaration: FunctionDeclaration, outcome: unknown, parts: ReadonlySet<string>): void {
  const fault = faultOfParts(outcome, parts);
  if (fault !== undefined)
    throw new DeclarationError(
      "OUTCOME_INVALID",
      `${declaration.name} returned ${fault}. An outcome holds ${[...parts].join(", ")}.`,
    );
}

function faultOfParts(outcome: unknown, parts: ReadonlySet<string>): string | undefined {
  if (typeof outcome !== "object" || outcome === null)
    return `${outcome === null ? "null" : typeof outcome} where an outcome was expected`;
  if (outcome instanceof Promise) return "a promise: reconcile is pure, reads belong into observe";
  const stray = Object.keys(outcome).find((part) => !parts.has(part));
  return stray === undefined ? undefined : `the unknown part "${stray}"`;
}

/** Refuses deadlines that are no times, or not after `now`: they would fire for ever. */
export function checkDeadlines(declaration: FunctionDeclaration, { wakeAt }: Ending, now: string): void {
  for (const [name, at] of Object.entries(wakeAt ?? {})) {
    const due = Date.parse(at);
    if (Number.isNaN(due))
      throw new DeclarationError(
        "OUTCOME_DEADLINE",
        `${declaration.name} set the deadline "${name}" to "${at}", which is no RFC 3339 time.`,
      );
    if (due <= Date.parse(now))
      throw new DeclarationError(
        "OUTCOME_DEADLINE_PAST",
        `${declaration.name} set the deadline "${name}" to ${at}, which is not after ${now}: decide what is due in this pass instead.`,
      );
  }
}

/** Refuses a status that the kind does not declare: unknown fields, wrong values, another function's part. */
export function checkStatus(declaration: FunctionDeclaration, status: unknown): void {
  const { kind, part } = declaration.key;
  const fault = faultOf(kind.status, part, status);
  if (fault !== undefined)
    throw new DeclarationError(
      "STATUS_INVALID",
      `${declaration.name} returned a status for ${kind.id} that its kind does not declare: ${fault}.`,
    );
}

const partials = new WeakMap<z.ZodObject, z.ZodType>();
function partialOf(schema: z.ZodObject): z.ZodType {
  let partial = partials.get(schema);
  if (partial === undefined) {
    partial = schema.partial();
    partials.set(schema, partial);
  }
  return partial;
}

function faultOf(
  schema: z.ZodType | undefined,
  part: readonly string[] | undefined,
  status: unknown,
): string | undefined {
  if (schema === undefined) return "the kind has no status";
  if (typeof status !== "object" || status === null || Array.isArray(status)) return "it is no object";
  const shape = schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.shape : undefined;
  for (const [field, value] of Object.entries(status)) {
    if (value === undefined) continue;
    if (shape !== undefined && !Object.hasOwn(shape, field)) return `unknown field status.${field}`;
    const stray = part === undefined ? undefined : strayPart(part, field, value);
    if (stray !== undefined) return `${stray} is not its part (${part?.join(", ")})`;
  }
  const expected = part === undefined || !(schema instanceof z.ZodObject) ? schema : partialOf(schema);
  if (accepts(expected, status)) return undefined;
  const [issue] = expected.safeParse(status).error?.issues ?? [];
  return issue === undefined ? undefined : `status.${issue.path.join(".")}: ${issue.message}`;
}

function strayPart(part: readonly string[], field: string, value: unknown): string | undefined {
  if (part.includes(field)) return undefined;
  const mine = part
    .filter((each) => each.startsWith(`${field}.`))
    .map((each) => each.slice(field.length + 1));
  if (field !== "conditions" || mine.length === 0 || !Array.isArray(value)) return `status.${field}`;
  const types = value.map((condition) => String((condition as { type?: unknown } | null)?.type));
  const stray = types.find((type) => !mine.includes(type));
  return stray === undefined ? undefined : `the condition ${stray}`;
}
