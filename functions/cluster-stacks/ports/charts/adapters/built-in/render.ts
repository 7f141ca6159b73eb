import {
  type Budget,
  bytesOf,
  Dict,
  type Functions,
  Int,
  TemplateError,
  Templates,
  textOf,
  toValue,
} from "../../../../../../shared/templates/index.ts";
import { ChartError } from "../../errors.ts";
import { AuthorFault, TPL_NAME } from "./functions/charts.ts";
import { type ChartTemplate, isPartial } from "./templates.ts";

/** The text of nothing, which helm takes out of what is printed. */
const NOTHING = /<no value>/g;

/** The deepest error that a chart's author wrote: what `fail` and `required` say. */
function authorsWords(error: unknown): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AuthorFault) return textOf(cause.message);
  return undefined;
}

/** The characters of a message that are kept: its beginning, and its end, which says what is wrong at the bottom of many includes. */
const KEPT = 1_000;
const shortened = (text: string): string =>
  text.length <= 2 * KEPT ? text : `${text.slice(0, KEPT)} … ${text.slice(-KEPT)}`;

/** The error of a template with its place in the chart. */
function located(error: TemplateError, path: string): ChartError {
  // A text that is rendered by tpl has lines of its own: the file that it is a value of is not known.
  const place = error.template === TPL_NAME ? { file: path } : { file: error.template, line: error.line };
  const where = place.line === undefined ? place.file : `${place.file}:${place.line}`;
  if (error.code === "TEMPLATE_LIMIT")
    return new ChartError("CHART_LIMIT", `${where}: ${error.reason}`, place, error);
  if (error.class === "parse")
    return new ChartError("CHART_TEMPLATE_INVALID", `${where}: ${error.reason}`, place, error);
  const words = authorsWords(error);
  const at = error.source === undefined ? "" : `${error.source}: `;
  return new ChartError(
    "CHART_TEMPLATE_FAILED",
    `${where}: ${shortened(words ?? `${at}${error.reason}`)}`,
    place,
    error,
  );
}

const told = <T>(path: string, compute: () => T): T => {
  try {
    return compute();
  } catch (error) {
    throw error instanceof TemplateError ? located(error, path) : error;
  }
};

/** The functions of one rendering, and its bounds. */
export interface Rendering {
  readonly functions: Functions;
  readonly budget: Budget;
  readonly outputBytes: number;
}

/** The texts that templates print, by their paths; partial ones and notes for people are not among them. @throws ChartError */
export function renderTemplates(
  templates: readonly ChartTemplate[],
  { functions, budget, outputBytes }: Rendering,
): ReadonlyMap<string, string> {
  const all = new Templates({ functions, missingKey: "zero" });
  for (const { path, text } of templates) told(path, () => all.parse(path, text));
  const printed = new Map<string, string>();
  let bytes = 0;
  for (const { path, basePath, data } of templates) {
    if (isPartial(path)) continue;
    data.entries.set(
      "Template",
      new Dict([
        ["Name", bytesOf(path)],
        ["BasePath", bytesOf(basePath)],
      ]),
    );
    const text = told(path, () => all.execute(path, data, budget)).replace(NOTHING, "");
    bytes += text.length;
    if (bytes > outputBytes)
      throw new ChartError("CHART_LIMIT", `${path}: the chart prints more than ${outputBytes} bytes`, {
        file: path,
      });
    if (!path.endsWith("NOTES.txt")) printed.set(path, text);
  }
  return printed;
}

/** `.Release` of a chart that is installed for the first time. */
export const releaseObject = (name: string, namespace: string): Dict =>
  toValue({
    Name: name,
    Namespace: namespace,
    IsInstall: true,
    IsUpgrade: false,
    Revision: new Int(1),
    Service: "Helm",
  }) as Dict;
