import * as z from "zod";

// Strict, as all of a command is: what is misspelt would else be left out, and a command without it may mean far more.

const name = z.string().min(1).max(253);

/** The name of the caller. An ingress that knows its callers replaces it by `<what they say> via <who they are>`. */
export const askedBy = z.string().min(1).max(256);
/** The reason, for people who read the history later. */
export const reason = z.string().max(1024).optional();
/** A function by its name. */
export const functionName = z.string().min(1).max(128);

/** A kind, as functions are keyed by it. The group is empty for core kinds. */
export const commandKind = z.strictObject({ group: z.string().max(253), kind: name });

/** An object of the cluster whose host carries out the command. */
export const commandObject = z.strictObject({
  group: z.string().max(253),
  kind: name,
  /** Absent for cluster-scoped kinds. */
  namespace: name.optional(),
  name,
});
export type CommandObject = z.output<typeof commandObject>;

/** The target of pausing and resuming: a function, or an object. */
export const pauseFields = {
  function: functionName.optional(),
  object: commandObject.optional(),
  askedBy,
  reason,
};

export const ONE_TARGET = "name either a function or an object";
