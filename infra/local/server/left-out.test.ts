import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { Api } from "../../../test/api-conformance/target.ts";
import { faces } from "../faces/index.ts";
import { type LocalApi, startLocalApi } from "../index.ts";

let server: LocalApi;
let api: Api;
beforeAll(async () => {
  server = await startLocalApi({ faces });
  api = new Api({ url: server.url, token: server.clientOptions.token, ca: server.clientOptions.ca });
});
afterAll(async () => {
  api.close();
  await server.close();
});

test("what the real server has and this one leaves out is a 501 that says where to get it", async () => {
  for (const path of [
    "/api/v1/watch/pods",
    "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/x",
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims",
    "/api/v1/namespaces/default/pods/p/log",
  ]) {
    const { code, body } = await api.get(path);
    assert.equal(code, 501, path);
    assert.match(body.message, /start with --real or --kubeconfig/);
  }
  assert.equal((await api.post("/apis/authentication.k8s.io/v1/tokenreviews", {})).code, 501);
  const controllers = "/api/v1/namespaces/default/replicationcontrollers";
  assert.deepEqual((await api.get(controllers)).body.items, []);
  assert.equal((await api.post(controllers, { metadata: { name: "a" } })).code, 501);
});

test("what no server has is a 404", async () => {
  for (const path of [
    "/api/v1/nothings",
    "/apis/nowhere.dev/v1/things",
    "/api/v1/namespaces/default/pods/p/zork",
  ])
    assert.equal((await api.get(path)).code, 404, path);
});

test("a local access review is answered like the others", async () => {
  const path = "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews";
  const { code, body } = await api.post(path, { spec: { user: "u" } });
  assert.equal(code, 201);
  assert.equal((body.status as { readonly allowed: boolean }).allowed, true);
});
