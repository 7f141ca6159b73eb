import type { Time } from "../clock/time.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { rawOf } from "../kube/read.ts";
import type { Subject } from "./subject.ts";

/** The prefix of the field managers of all functions. */
export const FIELD_MANAGERS = "reveille-";
/** The field manager under which a function writes. */
export const fieldManagerOf = ({ name }: Pick<FunctionDeclaration, "name">): string =>
  `${FIELD_MANAGERS}${name}`;

/**
 * The time at which the function last changed the status of the one object that it is about: the server keeps the time with the
 * fields that it owns.
 */
export function lastStatusAt(declaration: FunctionDeclaration, subject: Subject): Time | undefined {
  if (subject.of !== "one") return undefined;
  const manager = fieldManagerOf(declaration);
  return rawOf(subject.self)?.metadata.managedFields?.find(
    (entry) => entry.manager === manager && entry.operation === "Apply" && entry.subresource === "status",
  )?.time;
}
