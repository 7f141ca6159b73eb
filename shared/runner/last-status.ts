import type { Time } from "../clock/time.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { rawOf } from "../kube/read.ts";
import type { Subject } from "./subject.ts";

/** How the field managers of all functions begin. */
export const FIELD_MANAGERS = "reveille-";
/** As which field manager a function writes. */
export const fieldManagerOf = ({ name }: Pick<FunctionDeclaration, "name">): string =>
  `${FIELD_MANAGERS}${name}`;

/** When the function last changed the status of the one object that it is about: the server keeps the time with the fields that it owns. */
export function lastStatusAt(declaration: FunctionDeclaration, subject: Subject): Time | undefined {
  if (subject.of !== "one") return undefined;
  const manager = fieldManagerOf(declaration);
  return rawOf(subject.self)?.metadata.managedFields?.find(
    (entry) => entry.manager === manager && entry.operation === "Apply" && entry.subresource === "status",
  )?.time;
}
