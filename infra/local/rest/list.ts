import type { KubeObject } from "../../../shared/kube/object.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { badRequest, expired, invalidOptions } from "../api-error.ts";
import { type Kernel, spelled, storedUnder } from "../kernel.ts";
import type { ResourceType } from "../resource-type.ts";
import { selectionOf } from "../select/selection.ts";
import { keyOf } from "../store/store.ts";
import { integerParameter } from "./parameters.ts";
import { reached, versionParameter } from "./version-wait.ts";

/** One answer to a list: JSON texts of objects, and the list's metadata. */
export interface ListResult {
  readonly texts: readonly string[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

interface Token {
  readonly version: number;
  /** The key after which the next page begins. */
  readonly after: string;
}

const encodeToken = ({ version, after }: Token): string =>
  Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: version, start: `${after}\0` })).toString(
    "base64url",
  );

function decodeToken(text: string): Token {
  let found: unknown;
  try {
    found = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest("invalid continue token: continue key is not valid: invalid character in the token");
  }
  const { v, rv, start } = (found ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== "meta.k8s.io/v1" || typeof rv !== "number" || typeof start !== "string") {
    throw badRequest("invalid continue token: continue key is not valid: incorrect encoding or version");
  }
  return { version: rv, after: start.replace(/\0$/, "") };
}

const tooOld =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";

/** A list: now, at a version, or a further page of an earlier one. */
export async function list(
  kernel: Kernel,
  type: ResourceType,
  namespace: string | undefined,
  query: URLSearchParams,
): Promise<ListResult> {
  const given = query.get("continue") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  const rawVersion = query.get("resourceVersion") ?? "";
  requireOptions(rawVersion, match, given);
  const asked = versionParameter(rawVersion);
  await reached(kernel, asked);
  const rawLimit = integerParameter(query.get("limit")) ?? 0;
  // A list from the cache is always whole, as on the real server.
  const limit = rawLimit > 0 && asked !== 0 ? rawLimit : Number.POSITIVE_INFINITY;
  const token = given === "" ? undefined : decodeToken(given);
  const exact = match === "Exact" || (asked !== undefined && asked > 0 && match === "" && rawLimit > 0);
  const version =
    token === undefined
      ? exact && asked !== undefined
        ? asked
        : kernel.store.version
      : token.version < 0
        ? kernel.store.version
        : token.version;
  if (version < Math.max(kernel.store.trimmed, kernel.hub.floor(storedUnder(type)))) {
    if (token === undefined) throw expired(`The resourceVersion for the provided list is too old.`);
    throw expired(tooOld, { continue: encodeToken({ version: -1, after: token.after }) });
  }
  return page(kernel, type, namespace, query, { version, after: token?.after ?? "" }, limit);
}

function requireOptions(version: string, match: string, token: string): void {
  const errors: FieldError[] = [];
  if (match !== "" && version === "") {
    errors.push(
      fault.forbidden(
        "resourceVersionMatch",
        "resourceVersionMatch is forbidden unless resourceVersion is provided",
      ),
    );
  }
  if (match !== "" && match !== "Exact" && match !== "NotOlderThan") {
    errors.push(fault.unsupported("resourceVersionMatch", match, ['"Exact"', '"NotOlderThan"', '""']));
  }
  if (match === "Exact" && version === "0") {
    errors.push(
      fault.forbidden(
        "resourceVersionMatch",
        'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ),
    );
  }
  if (match !== "" && token !== "") {
    errors.push(
      fault.forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"),
    );
  }
  if (errors.length > 0) throw invalidOptions("ListOptions", errors);
  if (token !== "" && version !== "" && version !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
}

function page(
  kernel: Kernel,
  type: ResourceType,
  namespace: string | undefined,
  query: URLSearchParams,
  from: Token,
  limit: number,
): ListResult {
  const { store } = kernel;
  const resource = storedUnder(type);
  const selection = selectionOf(type, query);
  const prefix = type.namespaced && namespace !== undefined ? `${namespace}/` : "";
  const texts: string[] = [];
  let last = from.after;
  let more = false;
  const wanted = (text: string): boolean =>
    selection.matches === undefined || selection.matches(JSON.parse(spelled(type, text)) as KubeObject);
  const named =
    selection.name !== undefined &&
    from.version === store.version &&
    (namespace !== undefined || !type.namespaced);
  if (named) {
    const text = store.get(resource, keyOf(type.namespaced ? namespace : undefined, selection.name ?? ""));
    if (text !== undefined && wanted(text)) texts.push(spelled(type, text));
    return { texts, metadata: { resourceVersion: String(from.version) } };
  }
  let rest = 0;
  for (const { key, text } of store.scan(resource, prefix, from.after, from.version)) {
    if (texts.length >= limit) {
      more = true;
      // Only an unselected list says how many remain; counting costs no parsing.
      if (selection.matches !== undefined) break;
      rest++;
      continue;
    }
    if (wanted(text)) texts.push(spelled(type, text));
    last = key;
  }
  return {
    texts,
    metadata: {
      resourceVersion: String(from.version),
      ...(more ? { continue: encodeToken({ version: from.version, after: last }) } : {}),
      ...(rest > 0 ? { remainingItemCount: rest } : {}),
    },
  };
}
