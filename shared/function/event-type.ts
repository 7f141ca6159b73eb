import type * as z from "zod";

/** An event type that functions may emit and wake on. */
export interface EventType<Id extends string = string, Payload = unknown> {
  readonly id: Id;
  /** The schema of its payload: the bus refuses others. */
  readonly schema: z.ZodType;
  /** The id of the event with that payload: the same change and meaning has the same id. */
  readonly idOf: (payload: never) => string;
  readonly payload?: Payload;
}

/**
 * Declares an event that has no home in an object. `idOf` names the one change and meaning that the payload tells, so that
 * the same one twice is one.
 *
 * @example
 * ```ts
 * import { defineEvent } from "reveille";
 * import * as z from "zod";
 *
 * const schema = z.object({ tower: z.string(), at: z.string() });
 * export const bellRang = defineEvent("bell.rang", schema, ({ tower, at }) => `${tower} ${at}`);
 * ```
 */
export const defineEvent = <const Id extends string, Schema extends z.ZodType>(
  id: Id,
  schema: Schema,
  idOf: (payload: z.output<Schema>) => string,
): EventType<Id, z.output<Schema>> => ({ id, schema, idOf });
