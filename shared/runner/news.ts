import type { Cause } from "../bus/item.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";

/** Names the events without an object, and the commands, that led to a run; undefined where none did. The same news, the same name. */
export function newsOf(
  { wakes }: Pick<FunctionDeclaration, "wakes">,
  causes: readonly Pick<Cause, "type" | "eventId">[],
): string | undefined {
  const told = causes.filter(
    ({ type }) =>
      type.startsWith("command.") || wakes.some(({ on, source }) => on === "event" && source === type),
  );
  return told.length === 0 ? undefined : told.map(({ eventId }) => eventId).join(" ");
}
