import { createHash } from "node:crypto";
import type { ApiRequest, ApiResponse, Registry, ResourceType } from "../../resource-type.ts";
import { json, plain, tagged } from "../answer.ts";
import { VERSION } from "../server-facts.ts";
import { documentOf, rootOf } from "./document.ts";
import { answerOpenApiV2 } from "./v2.ts";

/** Made once for each state of a group: kubectl asks for the same document again and again. */
const made = new Map<string, string>();
const KEPT = 64;

/** `/openapi/v3` and its documents, and what kubectl needs of v2. */
export function answerOpenApi(request: ApiRequest, registry: Registry): ApiResponse | undefined {
  if (request.method !== "GET" || !request.path.startsWith("/openapi/")) return undefined;
  const path = request.path.replace(/\/$/, "");
  if (path === "/openapi/v2") return answerOpenApiV2(request);
  if (path === "/openapi/v3") return tagged(request, json({ paths: index(registry) }));
  const root = path.slice("/openapi/v3/".length);
  if (!path.startsWith("/openapi/v3/")) return plain("404 page not found\n", 404);
  const found = versions(registry).find((one) => rootOf(one) === root);
  if (found === undefined) return plain("404 page not found\n", 404);
  const types = registry.list(found.group, found.version);
  const hash = hashOf(types);
  const key = `${root}?${hash}`;
  let body = made.get(key);
  if (body === undefined) {
    body = JSON.stringify(documentOf(found.group, found.version, types));
    if (made.size >= KEPT) made.clear();
    made.set(key, body);
  }
  return {
    status: 200,
    headers: { "content-type": "application/json", etag: `"${hash}"`, "cache-control": "public" },
    body,
  };
}

const versions = (registry: Registry): readonly { readonly group: string; readonly version: string }[] =>
  registry.groups().flatMap(({ group, versions: all }) => all.map((version) => ({ group, version })));

function index(registry: Registry): object {
  return Object.fromEntries(
    versions(registry).map((one) => {
      const root = rootOf(one);
      return [
        root,
        { serverRelativeURL: `/openapi/v3/${root}?hash=${hashOf(registry.list(one.group, one.version))}` },
      ];
    }),
  );
}

const hashes = new WeakMap<ResourceType, string>();

/** Changes with whatever the document is made of. Built-in schemas change with the program only, so nobody spells them. */
function hashOf(types: readonly ResourceType[]): string {
  const hash = createHash("sha256").update(VERSION.gitVersion);
  for (const type of types) {
    let one = hashes.get(type);
    if (one === undefined) {
      one = type.custom ? createHash("sha256").update(JSON.stringify(type)).digest("hex") : type.kind;
      hashes.set(type, one);
    }
    hash.update(one);
  }
  return hash.digest("hex").toUpperCase();
}
