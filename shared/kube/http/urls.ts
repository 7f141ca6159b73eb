import type { ListOptions, Place, Resource, WatchOptions, WriteOptions } from "../client.ts";

const part = encodeURIComponent;

/** The path of all objects of a resource, in one namespace or in all. */
export function collectionPath(resource: Resource, namespace?: string | undefined): string {
  const root =
    resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  return namespace === undefined || resource.scope === "Cluster"
    ? `${root}/${resource.plural}`
    : `${root}/namespaces/${part(namespace)}/${resource.plural}`;
}

/** The path of one object. Throws a TypeError where a namespaced object is named without its namespace. */
export function objectPath(resource: Resource, place: Place, subresource?: string | undefined): string {
  if (resource.scope === "Namespaced" && place.namespace === undefined)
    throw new TypeError(`${resource.kind} ${place.name} lies in a namespace: name it`);
  if (place.name === "") throw new TypeError(`A ${resource.kind} needs a name`);
  const path = `${collectionPath(resource, place.namespace)}/${part(place.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** `?a=b&c=d` of what is defined, or nothing. */
function query(parameters: Parameters): string {
  let text = "";
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) text += `${text === "" ? "?" : "&"}${name}=${part(String(value))}`;
  return text;
}

export const listQuery = (options: ListOptions): string =>
  query({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    limit: options.limit,
    continue: options.continue,
    // A continue token carries its own version: both together are refused with 400.
    resourceVersion: options.continue === undefined ? options.resourceVersion : undefined,
    resourceVersionMatch: options.continue === undefined ? options.resourceVersionMatch : undefined,
  });

export const watchQuery = (options: WatchOptions): string =>
  query({
    watch: 1,
    allowWatchBookmarks: true,
    resourceVersion: options.resourceVersion,
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    timeoutSeconds: options.timeoutSeconds,
  });

/** The path that runs a command in a container of a Pod. */
export const execPath = (
  pod: Place,
  { container, command }: { readonly container: string; readonly command: readonly string[] },
): string => {
  const path = objectPath(
    { group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" },
    pod,
    "exec",
  );
  const words = command.map((word) => `command=${part(word)}`).join("&");
  return `${path}?container=${part(container)}&stdout=true&${words}`;
};

export const writeQuery = (options: WriteOptions & { readonly force?: boolean | undefined }): string =>
  query({
    fieldManager: options.fieldManager,
    force: options.force === true ? true : undefined,
    dryRun: options.dryRun === true ? "All" : undefined,
    fieldValidation: options.fieldValidation,
  });
