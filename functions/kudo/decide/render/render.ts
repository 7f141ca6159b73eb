import { isRecord } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import { identityOf, objectOf } from "../../../../shared/manifests/object-of.ts";
import { type Data, parseTemplate, TemplateError } from "../../../../shared/templates/index.ts";
import type { Definition } from "../definition/index.ts";
import { FUNCTIONS } from "./functions.ts";

/** The failure of a template. */
export interface RenderFault {
  readonly reason: "TaskRenderingError" | "ResourceUnmarshalError";
  readonly message: string;
}
/** A text that was rendered, or why it was not. */
export type Rendered<T> = { readonly value: T } | { readonly fault: RenderFault };

const faulty = (reason: RenderFault["reason"], message: string) => ({ fault: { reason, message } });

/** The text of a template for its data. */
export function renderText(version: Definition, name: string, data: Data | string): Rendered<string> {
  if (typeof data === "string") return faulty("TaskRenderingError", `error rendering ${name}: ${data}`);
  const templates = version.spec?.templates ?? {};
  const text = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (text === undefined)
    return faulty(
      "TaskRenderingError",
      `error finding resource named ${name}: the operator version has no such template`,
    );
  try {
    return { value: parseTemplate(name, text, { functions: FUNCTIONS }).execute(data) };
  } catch (error) {
    if (error instanceof TemplateError)
      return faulty("TaskRenderingError", `error rendering ${name}: ${error.message}`);
    throw error;
  }
}

/** An object, and the template that says it. */
export interface TemplateObject {
  readonly object: KubeObject;
  readonly template: string;
}

/** The objects of templates, in order; documents without anything in them are left out. */
export function renderObjects(
  version: Definition,
  names: readonly string[],
  data: Data | string,
): Rendered<readonly TemplateObject[]> {
  const objects = new Map<string, TemplateObject>();
  for (const name of names) {
    const text = renderText(version, name, data);
    if ("fault" in text) return text;
    const { documents, faults } = documentsOf(text.value);
    const [fault] = faults;
    if (fault !== undefined)
      return faulty("ResourceUnmarshalError", `${name}, document ${fault.number}: ${fault.message}`);
    for (const { number, value } of documents) {
      const object = objectOf(value);
      if (typeof object === "string")
        return faulty("ResourceUnmarshalError", `${name}, document ${number}: ${object}`);
      objects.set(identityOf(object), { object: withEmptyTexts(object), template: name });
    }
  }
  return { value: [...objects.values()] };
}

/** The maps of texts and bytes in which upstream's typed client reads what is written without a value as an empty one. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ["data", "binaryData"],
  Secret: ["data", "stringData"],
};

/** A parameter that is empty leaves `key: ` behind, which YAML calls null: the key is there all the same. */
function withEmptyTexts(object: KubeObject): KubeObject {
  const fields = object.apiVersion === "v1" ? (TEXTS[object.kind] ?? []) : [];
  const maps = fields.flatMap((field) => {
    const map = object[field];
    if (!isRecord(map) || !Object.values(map).includes(null)) return [];
    return [[field, Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? ""]))]];
  });
  return maps.length === 0 ? object : { ...object, ...Object.fromEntries(maps) };
}
