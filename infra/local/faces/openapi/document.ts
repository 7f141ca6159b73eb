import { apiVersionOf } from "../../../../shared/kube/object.ts";
import type { StructuralSchema } from "../../../../shared/kube/validation/structural-schema.ts";
import type { ResourceType } from "../../resource-type.ts";
import { VERSION } from "../server-facts.ts";
import { Components } from "./components.ts";

/** The path of the resources of a group and version: `api/v1`, `apis/apps/v1`. */
export const rootOf = ({ group, version }: Pick<ResourceType, "group" | "version">): string =>
  group === "" ? `api/${version}` : `apis/${group}/${version}`;

/**
 * The OpenAPI v3 document of a group and version: what `kubectl explain`, `apply` and `create` look for, no more. They
 * find a kind by the paths' `x-kubernetes-group-version-kind`, and strict validation by the `fieldValidation` parameter.
 */
export function documentOf(group: string, version: string, types: readonly ResourceType[]): object {
  const components = new Components();
  const paths: Record<string, object> = {};
  for (const type of types) {
    const schema = components.ofType(type);
    for (const [path, item] of pathsOf(type, schema)) paths[path] = item;
  }
  return {
    openapi: "3.0.0",
    info: {
      title: `Kubernetes ${apiVersionOf({ group, version })}`,
      version: `${VERSION.major}.${VERSION.minor}`,
    },
    paths,
    components: { schemas: components.schemas },
  };
}

const query = (name: string, type: "string" | "boolean" | "integer" = "string"): object => ({
  name,
  in: "query",
  schema: { type, uniqueItems: true },
});
const inPath = (name: string): object => ({
  name,
  in: "path",
  required: true,
  schema: { type: "string", uniqueItems: true },
});
const WRITES = [query("dryRun"), query("fieldManager"), query("fieldValidation")];
const PATCHES = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
];

function pathsOf(type: ResourceType, schema: StructuralSchema): readonly (readonly [string, object])[] {
  const { group, version, kind } = type;
  const about = { "x-kubernetes-group-version-kind": { group, version, kind } };
  const content = { "application/json": { schema } };
  const answer = { responses: { "200": { description: "OK", content } } };
  const body = { requestBody: { content: { "*/*": { schema } }, required: true } };
  const root = `/${rootOf(type)}`;
  const place = type.namespaced ? `${root}/namespaces/{namespace}/${type.plural}` : `${root}/${type.plural}`;
  const namespace = type.namespaced ? [inPath("namespace")] : [];
  const patches = type.custom ? PATCHES : [...PATCHES, "application/strategic-merge-patch+json"];
  const patch = {
    requestBody: {
      content: Object.fromEntries(patches.map((name) => [name, { schema: { type: "object" } }])),
      required: true,
    },
  };
  const list = { ...answer, "x-kubernetes-action": "list", ...about };
  const item = {
    get: { ...answer, "x-kubernetes-action": "get", ...about },
    put: { parameters: WRITES, ...body, ...answer, "x-kubernetes-action": "put", ...about },
    delete: { ...answer, "x-kubernetes-action": "delete", ...about },
    patch: {
      parameters: [...WRITES, query("force", "boolean")],
      ...patch,
      ...answer,
      "x-kubernetes-action": "patch",
      ...about,
    },
    parameters: [inPath("name"), ...namespace],
  };
  return [
    [
      place,
      {
        get: list,
        post: { parameters: WRITES, ...body, ...answer, "x-kubernetes-action": "post", ...about },
        ...(namespace.length > 0 ? { parameters: namespace } : {}),
      },
    ],
    [`${place}/{name}`, item],
    ...(type.namespaced ? [[`${root}/${type.plural}`, { get: list }] as const] : []),
    ...(type.subresources.status
      ? [[`${place}/{name}/status`, { ...item, delete: undefined }] as const]
      : []),
  ];
}
