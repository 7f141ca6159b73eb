/**
 * Go's template language (text/template) without Go: what it prints is what Go prints, byte for byte.
 *
 * ```ts
 * const template = parseTemplate("service.yaml", text, { functions: { ...sprig, toYaml: toYamlV2 } });
 * template.execute({ Name: "web", Params: { PORT: "80" } });
 * ```
 *
 * - `parseTemplate` reads one file, `Templates` several that call each other. Unknown functions, refused ones and undefined
 *   variables are errors of reading; `references()` names the fields, templates and functions that are used, without data.
 * - The caller says which functions there are. Go's own are there by themselves; sprig's lie in `sprig.ts`, apart, since its regular
 *   expressions weigh. A function of one's own declares its parameters in Go's types and works on values (`values.ts`), whose
 *   text is bytes: `textOf` and `bytesOf` are the way out and in. An entry `{ refused: why }` makes a name, also that of a word like `range`,
 *   an error that says why. `builtins` takes away Go's own.
 * - Data is JSON: numbers become float64, a bigint int64; `textMap` makes a `map[string]string`, `new List([], …, true)` a nil list.
 * - Errors are `TemplateError`: code, class (`parse`, `exec`), template and line. All work is counted against `TemplateLimits`.
 * - Nothing here knows a clock, a random source or a file.
 */
export { builtins } from "./builtins.ts";
export { bytesOf, textOf } from "./bytes.ts";
export { FunctionFault, TemplateError, type TemplateErrorClass, type TemplateErrorCode } from "./errors.ts";
export type { MissingKey } from "./evaluate.ts";
export type { Call, Functions, ParameterType, Refusal, TemplateFunction } from "./function.ts";
export { Budget, DEFAULT_LIMITS, type TemplateLimits } from "./limits.ts";
export type { Reference } from "./references.ts";
export { parseTemplate, type Template, type TemplateOptions, Templates } from "./template.ts";
export {
  type Data,
  Dict,
  dataOf,
  Int,
  List,
  TemplateObject,
  textMap,
  toValue,
  type Value,
} from "./values.ts";
