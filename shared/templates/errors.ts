import { ReveilleError } from "../errors.ts";

/** `parse`: the text is no template. `exec`: it is one, and cannot be rendered with this data. */
export type TemplateErrorClass = "parse" | "exec";

/** The codes of template errors. */
export type TemplateErrorCode =
  | "TEMPLATE_SYNTAX"
  | "TEMPLATE_FUNCTION_UNKNOWN"
  | "TEMPLATE_FUNCTION_REFUSED"
  | "TEMPLATE_VARIABLE_UNKNOWN"
  | "TEMPLATE_FAILED"
  | "TEMPLATE_KEY_MISSING"
  | "TEMPLATE_LIMIT";

/** The place of an error. */
export interface TemplatePlace {
  readonly class: TemplateErrorClass;
  /** The name under which the text was parsed. */
  readonly template: string;
  /** Counted from 1; absent where no line is to blame. */
  readonly line?: number;
  /** The name or the part of an action that is to blame, as the template writes it; absent where none is. */
  readonly source?: string;
}

/** A template cannot be read, or cannot be rendered with the data that it was given. */
export class TemplateError extends ReveilleError implements TemplatePlace {
  declare readonly code: TemplateErrorCode;
  readonly class: TemplateErrorClass;
  readonly template: string;
  readonly line?: number;
  readonly source?: string;
  /** The message without the place. */
  readonly reason: string;
  constructor(
    code: TemplateErrorCode,
    reason: string,
    { class: errorClass, template, line, source }: TemplatePlace,
    options?: { readonly cause?: unknown; readonly where?: string },
  ) {
    super(code, options?.where === undefined ? reason : `${options.where}: ${reason}`, options);
    this.reason = reason;
    this.class = errorClass;
    this.template = template;
    if (line !== undefined) this.line = line;
    if (source !== undefined) this.source = source;
  }
}

/** A function refuses its arguments; the evaluator adds the place. */
export class FunctionFault extends Error {}

/** A rendering has used up what it may use; no function may catch it. */
export class LimitFault extends Error {}

/** The error of a place where data lacks a key. */
export class MissingKeyFault extends Error {}
