import assert from "node:assert/strict";
import { test } from "vitest";
import { builtInTypes } from "../builtin/index.ts";
import type { ApiRequest, ApiResponse, FaceContext, Registry, ResourceType } from "../resource-type.ts";
import { faces } from "./index.ts";

const types: readonly ResourceType[] = builtInTypes;
const registry: Registry = {
  find: (group, version, plural) =>
    types.find((one) => one.group === group && one.version === version && one.plural === plural),
  findKind: (group, version, kind) =>
    types.find((one) => one.group === group && one.version === version && one.kind === kind),
  all: () => types,
  groups: () => [...new Set(types.map(({ group }) => group))].map((group) => ({ group, versions: ["v1"] })),
  list: (group, version) => types.filter((one) => one.group === group && one.version === version),
  revision: "1",
};
const account = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "bob", namespace: "n", uid: "u" },
};
const context: FaceContext = {
  registry,
  now: () => 0,
  get: (_type, namespace, name) => (namespace === "n" && name === "bob" ? account : undefined),
};
const user = { username: "me", groups: ["all"] };

function ask(
  path: string,
  { method = "GET", headers = {}, body = "" as string | Uint8Array } = {},
): ApiResponse | undefined {
  const request: ApiRequest = {
    method,
    path,
    query: new URLSearchParams(),
    headers,
    body: typeof body === "string" ? Buffer.from(body) : body,
    user,
  };
  return faces.paths(request, context);
}
const read = (response: ApiResponse | undefined) => JSON.parse(String(response?.body));

test("says its version honestly", () => {
  assert.match(read(ask("/version")).gitVersion, /^v1\.\d+\.\d+\+reveille$/);
});

test("leaves the paths of resources to others", () => {
  for (const path of [
    "/api/v1/pods",
    "/apis/apps/v1/namespaces/n/deployments/d",
    "/metrics",
    "/apis/nowhere.example.org",
    "/api/v2",
  ])
    assert.equal(ask(path), undefined, path);
});

test("lists groups in the old form, and all in one in the new", () => {
  assert.deepEqual(read(ask("/api")).versions, ["v1"]);
  const group = read(ask("/apis")).groups.find((one: { name: string }) => one.name === "apps");
  assert.equal(group.preferredVersion.groupVersion, "apps/v1");
  assert.deepEqual(read(ask("/apis/apps")).versions, group.versions);
  const names = read(ask("/apis/apps/v1")).resources.map((one: { name: string }) => one.name);
  assert.ok(names.includes("deployments/scale") && names.includes("deployments/status"));
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  const aggregated = ask("/apis", { headers: { accept } });
  assert.match(aggregated?.headers["content-type"] ?? "", /as=APIGroupDiscoveryList/);
  assert.ok(
    read(aggregated).items.some(
      (one: { metadata: { name: string } }) => one.metadata.name === "authorization.k8s.io",
    ),
  );
});

test("answers 304 to who has the newest discovery", () => {
  const etag = ask("/apis")?.headers.etag ?? "";
  assert.equal(ask("/apis", { headers: { "if-none-match": etag } })?.status, 304);
  assert.equal(ask("/apis", { headers: { "if-none-match": '"other"' } })?.status, 200);
});

test("every OpenAPI document refers only to what it has, and lets strict validation be found", () => {
  const { paths } = read(ask("/openapi/v3"));
  for (const { serverRelativeURL } of Object.values(paths) as { serverRelativeURL: string }[]) {
    const document = read(ask(serverRelativeURL.replace(/\?.*/, "")));
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      assert.ok(document.components.schemas[name ?? ""], `${serverRelativeURL} lacks ${name}`);
    assert.ok(!/"x-(type-name|quantity|micro-time)"/.test(text));
    const item = Object.entries(document.paths).find(([path]) => path.endsWith("/{name}"))?.[1] as {
      patch: { parameters: { name: string }[] };
    };
    assert.ok(item.patch.parameters.some(({ name }) => name === "fieldValidation"));
  }
});

test("tells who asks, and that everything is allowed", () => {
  const post = (kind: string) =>
    ask(`/apis/auth${kind}`, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  assert.deepEqual(read(post("entication.k8s.io/v1/selfsubjectreviews")).status.userInfo, user);
  assert.equal(read(post("orization.k8s.io/v1/selfsubjectaccessreviews")).status.allowed, true);
  assert.equal(read(post("orization.k8s.io/v1/selfsubjectrulesreviews")).status.incomplete, false);
});

test("makes a token for a service account that exists, for at least ten minutes", () => {
  const path = "/api/v1/namespaces/n/serviceaccounts/bob/token";
  const made = read(ask(path, { method: "POST", body: "{}" }));
  const claims = JSON.parse(Buffer.from(made.status.token.split(".")[1], "base64url").toString());
  assert.equal(claims.sub, "system:serviceaccount:n:bob");
  assert.equal(made.status.expirationTimestamp, "1970-01-01T01:00:00Z");
  assert.throws(() => ask(path, { method: "POST", body: '{"spec":{"expirationSeconds":60}}' }), /10 minutes/);
  assert.throws(() => ask(path.replace("bob", "eve"), { method: "POST", body: "{}" }), /not found/);
});
