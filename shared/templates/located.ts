import { ArgumentFault } from "./arguments.ts";
import { textOf } from "./bytes.ts";
import {
  FunctionFault,
  LimitFault,
  MissingKeyFault,
  TemplateError,
  type TemplateErrorCode,
} from "./errors.ts";
import type { Definition } from "./nodes.ts";

/** A place in the text, and its source for messages. */
export interface Place {
  readonly at: number;
  readonly source: () => string;
}

function errorOf(
  code: TemplateErrorCode,
  fault: Error,
  definition: Definition,
  place?: Place,
): TemplateError {
  const { name, text } = definition.source;
  const before = text.slice(0, place?.at ?? 0);
  const line = before.split("\n").length;
  const column = before.length - (before.lastIndexOf("\n") + 1);
  const template = textOf(name);
  const source = textOf(place?.source() ?? "");
  const where = `template: ${template}:${line}:${column}: executing "${textOf(definition.name)}" at <${source}>`;
  return new TemplateError(
    code,
    textOf(fault.message),
    { class: "exec", template, line, source },
    { cause: fault.cause ?? fault, where },
  );
}

/** The error of a fault, with the place where it arose; what is no fault of a template stays as it is. */
export function located(fault: unknown, definition: Definition, place?: Place): unknown {
  if (fault instanceof LimitFault) return errorOf("TEMPLATE_LIMIT", fault, definition, place);
  if (fault instanceof MissingKeyFault) return errorOf("TEMPLATE_KEY_MISSING", fault, definition, place);
  if (fault instanceof ArgumentFault || fault instanceof FunctionFault)
    return errorOf("TEMPLATE_FAILED", fault, definition, place);
  // The stack is the last bound, where the levels that are counted need more of it than there is.
  if (fault instanceof RangeError && fault.message.startsWith("Maximum call stack"))
    return errorOf(
      "TEMPLATE_LIMIT",
      new LimitFault("it nests too deeply", { cause: fault }),
      definition,
      place,
    );
  return fault;
}
