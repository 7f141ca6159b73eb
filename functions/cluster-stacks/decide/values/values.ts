import { isRecord } from "../../../../shared/json/fields.ts";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import {
  type Data,
  type Functions,
  parseTemplate,
  TemplateError,
} from "../../../../shared/templates/index.ts";
import { paths, sprig, unstable } from "../../../../shared/templates/sprig.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The live objects that a values template reads, whole, their status too. */
export interface AddonObjects {
  readonly Cluster: Fields;
  readonly ControlPlane: Fields;
  readonly InfraCluster: Fields;
}

/** The values of an addon's chart, or the fault of their template in words, with its line where one is to blame. */
export type AddonValues =
  | { readonly values: Fields }
  | { readonly fault: string; readonly line?: number | undefined };

const ELSEWHERE = "it reads what lies outside the cluster's objects";

/** Sprig's functions, but for those that answer differently each time: the values are compared with those of the last rendering. */
const FUNCTIONS: Functions = {
  ...sprig,
  ...paths,
  ...unstable,
  env: { refused: ELSEWHERE },
  expandenv: { refused: ELSEWHERE },
};

/** An object as Go's client holds it: whole numbers are int64. */
function asGo(value: unknown): Data {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(asGo);
  return isRecord(value) ? new Map(Object.entries(value).map(([key, item]) => [key, asGo(item)])) : null;
}

function mapIn(text: string, what: string): AddonValues {
  const { documents, faults } = documentsOf(text);
  const [fault] = faults;
  if (fault !== undefined) return { fault: `${what} is no YAML: ${fault.message}` };
  const value = documents[0]?.value ?? {};
  return isRecord(value) ? { values: value } : { fault: `${what} is no map` };
}

/** The reason why a values template can be rendered for no Cluster; undefined where it can be read. */
export function valuesTemplateFault(name: string, template: string): string | undefined {
  try {
    parseTemplate(name, template, { functions: FUNCTIONS, missingKey: "invalid" });
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/**
 * Renders the values template of a release: the whole file is a Go template. Its result is YAML; a text under `values` is the values'
 * own document, otherwise the result is. A field that an object lacks prints `<no value>`.
 * @param name the file, which a fault names
 */
export function addonValues(name: string, template: string, objects: AddonObjects): AddonValues {
  const data = new Map(Object.entries(objects).map(([key, object]) => [key, asGo(object)]));
  let text: string;
  try {
    text = parseTemplate(name, template, { functions: FUNCTIONS, missingKey: "invalid" }).execute(data);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { fault: error.message, line: error.line };
  }
  const whole = mapIn(text, `what ${name} prints`);
  if ("fault" in whole) return whole;
  const inner = whole.values.values;
  return typeof inner === "string" ? mapIn(inner, `the text under values in ${name}`) : whole;
}
