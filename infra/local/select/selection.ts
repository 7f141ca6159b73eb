import type { KubeObject } from "../../../shared/kube/object.ts";
import { badRequest } from "../api-error.ts";
import { valueAtPath } from "../json.ts";
import type { ResourceType } from "../resource-type.ts";
import { parseLabelSelector } from "./labels.ts";

/** The objects that a list, watch or collection delete is about. Absent match: all. */
export interface Selection {
  readonly matches: ((object: KubeObject) => boolean) | undefined;
  /** Given by `metadata.name=…`: lets a list look up one object. */
  readonly name: string | undefined;
}

/** Reads `labelSelector` and `fieldSelector`. Throws a 400 for selectors that the type does not support. */
export function selectionOf(type: ResourceType, query: URLSearchParams): Selection {
  const labels = parseLabelSelector(query.get("labelSelector") ?? "");
  const fields = parseFieldSelector(type, query.get("fieldSelector") ?? "");
  const name = fields.find((field) => field.path === "metadata.name" && !field.negated)?.value;
  if (labels === undefined && fields.length === 0) return { matches: undefined, name: undefined };
  return {
    name,
    matches: (object) =>
      (labels === undefined || labels(object.metadata.labels ?? {})) &&
      fields.every(({ path, value, negated }) => (textAt(object, path) === value) !== negated),
  };
}

interface FieldRequirement {
  readonly path: string;
  readonly value: string;
  readonly negated: boolean;
}

function parseFieldSelector(type: ResourceType, text: string): FieldRequirement[] {
  if (text === "") return [];
  return text
    .split(/(?<!\\),/)
    .filter((part) => part !== "")
    .map((part) => {
      const found = /^([^=!]+)(==|!=|=)(.*)$/s.exec(part);
      if (found === null) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
      const [, path = "", operator, value = ""] = found;
      if (!isSupported(type, path)) throw badRequest(unsupportedLabel(type, path));
      return { path, value: value.replace(/\\([\\,=])/g, "$1"), negated: operator === "!=" };
    });
}

const unsupportedLabel = (type: ResourceType, path: string): string =>
  type.custom || type.selectableFields.length > 0
    ? `field label not supported: ${path}`
    : `"${path}" is not a known field selector: only "metadata.name", "metadata.namespace"`;

function isSupported(type: ResourceType, path: string): boolean {
  if (path === "metadata.name" || (type.namespaced && path === "metadata.namespace")) return true;
  return type.selectableFields.some((field) => field.jsonPath === `.${path}`);
}

function textAt(object: KubeObject, path: string): string {
  const value = valueAtPath(object, path);
  return value === undefined || value === null ? "" : String(value);
}
