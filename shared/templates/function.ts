import type { TemplateFunction } from "./values.ts";

export type { Call, ParameterType, TemplateFunction } from "./values.ts";

/** A name that templates may not use, and the reason why. */
export interface Refusal {
  readonly refused: string;
}

/** The functions that a template may call, by name. */
export type Functions = Readonly<Record<string, TemplateFunction | Refusal>>;
