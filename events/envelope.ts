import * as z from "zod";

/** The attributes that every event carries: CloudEvents 1.0, JSON format, with the W3C trace context extension. */
const envelopeFields = {
  specversion: z.literal("1.0"),
  /** Names one change and one meaning: whoever sees the same change derives the same id. */
  id: z.string().min(1).max(256),
  /** The sender, as a URI reference: `/clusters/<cluster>` for watchers. */
  source: z.string().min(1).max(1024),
  /** The subject: `<group>/<kind>/<namespace>/<name>`. */
  subject: z.string().max(1024).optional(),
  time: z.iso.datetime({ offset: true }),
  datacontenttype: z.literal("application/json"),
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional(),
  tracestate: z.string().max(512).optional(),
};

/** The envelope alone: type and data are checked against the catalogue. Attributes that it does not know are kept. */
export const envelope = z.looseObject({
  ...envelopeFields,
  type: z.string().min(1).max(256),
  data: z.unknown(),
});

/** An event before its type is known. */
export interface Envelope {
  readonly specversion: "1.0";
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject?: string | undefined;
  readonly time: string;
  readonly datacontenttype: "application/json";
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly data: unknown;
}

/** One event type of the catalogue: its name, its schema, what it means. */
export interface EventDefinition<Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly type: Type;
  readonly meaning: string;
  readonly data: Schema;
}

export const defineEventType = <const Type extends string, Schema extends z.ZodType>(
  definition: EventDefinition<Type, Schema>,
): EventDefinition<Type, Schema> => definition;

/** An event of a known type. */
export type EventOf<D> =
  D extends EventDefinition<infer Type, infer Schema>
    ? Omit<Envelope, "type" | "data"> & { readonly type: Type; readonly data: z.output<Schema> }
    : never;

/** An event as people write it, with what CloudEvents lets them leave out and the envelope wants. */
export const completeEvent = (event: object, now: number): object => ({
  time: new Date(now).toISOString(),
  datacontenttype: "application/json",
  ...event,
});
