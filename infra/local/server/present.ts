import { stringify as toYaml } from "yaml";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { notAcceptable } from "../api-error.ts";
import { apiVersionOfType } from "../kernel.ts";
import type { ResourceType, TableOf } from "../resource-type.ts";
import type { ListResult } from "../rest/list.ts";

/** The form in which a client wants objects. */
export interface Presentation {
  readonly as: "object" | "metadata" | "table";
  readonly yaml: boolean;
}

/** Picks the first form in `Accept` that is offered. Throws a 406 where there is none. */
export function presentationOf(
  accept: string | undefined,
  collection: boolean,
  tables: boolean,
): Presentation {
  const plain: Presentation = { as: "object", yaml: false };
  if (accept === undefined || accept === "") return plain;
  for (const range of accept.split(",")) {
    const [media = "", ...parameters] = range.split(";").map((part) => part.trim());
    const given = new Map(
      parameters.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
    );
    const yaml = media === "application/yaml";
    if (!yaml && media !== "application/json" && media !== "*/*" && media !== "application/*") continue;
    const as = given.get("as");
    if (as === undefined) return { as: "object", yaml };
    if (given.get("g") !== "meta.k8s.io" || (given.get("v") !== "v1" && given.get("v") !== "v1beta1"))
      continue;
    if (as === "Table" && tables) return { as: "table", yaml };
    if (as === (collection ? "PartialObjectMetadataList" : "PartialObjectMetadata"))
      return { as: "metadata", yaml };
  }
  throw notAcceptable(["application/json", "application/yaml"]);
}

const partial = (text: string): string =>
  JSON.stringify({
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: (JSON.parse(text) as KubeObject).metadata,
  });

/** The rest of what a table needs. */
export interface TableContext {
  readonly tableOf: TableOf | undefined;
  readonly includeObject: "None" | "Metadata" | "Object";
  readonly now: number;
}

/** One object as text. `lines`: a watch, whose later tables bring no columns. */
export function showObject(
  type: ResourceType,
  presentation: Presentation,
  context: TableContext,
  watching = false,
): (text: string) => string {
  if (presentation.as === "metadata") return partial;
  const { tableOf } = context;
  if (presentation.as === "object" || tableOf === undefined) return (text) => text;
  let first = true;
  return (text) => {
    const object = JSON.parse(text) as KubeObject;
    const withoutColumns = watching && !first;
    first = false;
    return JSON.stringify(
      tableOf(type, isBookmark(object) ? [] : [object], {
        includeObject: context.includeObject,
        withoutColumns,
        listMetadata: {
          resourceVersion: object.metadata.resourceVersion,
          ...(isBookmark(object) ? { annotations: object.metadata.annotations } : {}),
        },
        now: context.now,
      }),
    );
  };
}
const isBookmark = ({ metadata }: KubeObject): boolean => metadata.name === undefined;

/** A list as text. */
export function showList(
  type: ResourceType,
  { texts, metadata }: ListResult,
  presentation: Presentation,
  context: TableContext,
): string {
  const head = (apiVersion: string, kind: string): string =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":${JSON.stringify(metadata)},"items":[`;
  if (presentation.as === "metadata")
    return `${head("meta.k8s.io/v1", "PartialObjectMetadataList")}${texts.map(partial).join(",")}]}`;
  if (presentation.as === "table" && context.tableOf !== undefined) {
    return JSON.stringify(
      context.tableOf(
        type,
        texts.map((text) => JSON.parse(text) as KubeObject),
        {
          includeObject: context.includeObject,
          withoutColumns: false,
          listMetadata: metadata,
          now: context.now,
        },
      ),
    );
  }
  // Items of built-in lists carry no kind and apiVersion, those of custom resources do: so does the real server.
  const start = `{"apiVersion":"${apiVersionOfType(type)}","kind":"${type.kind}",`;
  const items = type.custom
    ? texts
    : texts.map((text) => (text.startsWith(start) ? `{${text.slice(start.length)}` : text));
  return `${head(apiVersionOfType(type), type.listKind) + items.join(",")}]}`;
}

/** JSON text in the form that was asked for. */
export const encoded = (
  text: string,
  { yaml }: Presentation,
): { readonly type: string; readonly body: string } =>
  yaml
    ? { type: "application/yaml", body: toYaml(JSON.parse(text)) }
    : { type: "application/json", body: text };
