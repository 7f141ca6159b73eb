import * as z from "zod";
import { askedBy, commandKind, commandObject, functionName, reason } from "./command-fields.ts";
import { defineEventType, type EventOf } from "./envelope.ts";

/** Somebody asks for a resync of a key, an object, or all of a function or kind. */
export const commandReconcile = defineEventType({
  type: "command.reconcile",
  meaning: "Look once more at a key or all keys of a function, at an object, or at all of a kind.",
  data: z
    .strictObject({
      /**
       * The function. With `object` or `kind` only this function reconciles them; alone, it reconciles all of its keys, as a
       * sweep.
       */
      function: functionName.optional(),
      /** A key of `function`. */
      key: z.string().min(1).max(1024).optional(),
      /** The object, for all functions that are keyed by its kind. */
      object: commandObject.optional(),
      /** All keys of all functions that are keyed by it, as a sweep. */
      kind: commandKind.optional(),
      askedBy,
      reason,
    })
    .refine(
      ({ function: name, object, kind }) => name !== undefined || object !== undefined || kind !== undefined,
      {
        message: "name a function, an object or a kind",
      },
    )
    .refine(({ key, function: name }) => key === undefined || name !== undefined, {
      message: "a key is one of a function: name it too",
      path: ["key"],
    }),
});
export type CommandReconcile = EventOf<typeof commandReconcile>;
