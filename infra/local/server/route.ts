import { noSuchPath, noSuchResource, notOffered } from "../api-error.ts";
import type { Registry, ResourceType } from "../resource-type.ts";
import { isLeftOut } from "./left-out.ts";

/** The subject of a path. */
export interface Route {
  readonly type: ResourceType;
  /** Absent: cluster scope, or all namespaces. */
  readonly namespace: string | undefined;
  /** Absent: the collection. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Parses `/api/v1/…` and `/apis/GROUP/VERSION/…`. Throws the 404 that the real server gives. */
export function routeOf(registry: Registry, path: string): Route {
  const parts = path.split("/").slice(1);
  const core = parts[0] === "api";
  const [group = "", version = "", ...rest] = core ? ["", ...parts.slice(1)] : parts.slice(1);
  if ((!core && parts[0] !== "apis") || rest.length === 0 || rest[0] === "") throw noSuchPath();
  const scoped = rest[0] === "namespaces" && rest.length > 2 && !isNamespaceDoor(group, rest);
  const [namespace, plural = "", name, ...subresource] = scoped ? rest.slice(1) : [undefined, ...rest];
  const type = registry.find(group, version, plural);
  // A namespaced collection may be asked for over all namespaces; a single object may not.
  const fits = type !== undefined && (scoped ? type.namespaced : !type.namespaced || name === undefined);
  if (type === undefined && isLeftOut(group, version, plural))
    throw notOffered(group === "" ? plural : `${plural}.${group}`);
  if (type === undefined || !fits) {
    const served = registry.list(group, version).some((one) => !one.custom);
    throw served ? noSuchResource() : noSuchPath();
  }
  return {
    type,
    namespace,
    name: name === "" ? undefined : name,
    subresource: subresource.length > 0 ? subresource.join("/") : undefined,
  };
}

/** `/api/v1/namespaces/NAME/status` and `/finalize` are doors of the namespace, not resources in it. */
const isNamespaceDoor = (group: string, rest: readonly string[]): boolean =>
  group === "" && rest.length === 3 && (rest[2] === "status" || rest[2] === "finalize");
