import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { refuseSecrets, StatusError, secretsIn } from "./index.ts";

const key = ["-----BEGIN EC PRIVATE", "KEY-----\nMHcCAQEEI\n-----END EC PRIVATE KEY-----"].join(" ");
const secretJson = JSON.stringify({ apiVersion: "v1", kind: "Secret", data: { password: "aHVudGVyMg==" } });

const REFUSED: Readonly<Record<string, unknown>> = {
  "a PEM key in a message": { conditions: [{ type: "Degraded", message: `Could not parse ${key}` }] },
  "a PEM key deep in the extension": { extension: { tls: [{ pair: { key } }] } },
  "a certificate": { extension: { ca: "-----BEGIN CERTIFICATE-----\nMIIB" } },
  "a PEM key in base64": { extension: { config: Buffer.from(key).toString("base64") } },
  "a map named data": { extension: { source: { data: { "tls.key": "eA==" } } } },
  "text named data": { extension: { data: "c2VjcmV0" } },
  stringData: { extension: { stringData: { a: "b" } } },
  "a Secret in the extension": { extension: { last: { kind: "Secret", metadata: { name: "a" } } } },
  "a Secret as JSON text": { extension: { "last-applied": secretJson } },
  "a Secret as JSON text in a message": { conditions: [{ type: "Degraded", message: secretJson }] },
  "a Secret as YAML": { extension: { text: "apiVersion: v1\nkind: Secret\ndata:\n  a: Yg==\n" } },
  "a list of Secrets": { extension: { kind: "SecretList", items: [{}] } },
  "a token by its name": { extension: { registry: { accessToken: "x1" } } },
  "a password by its name": { extension: { db_password: "x", password: "hunter2" } },
  "a JSON web token": {
    conditions: [
      { type: "Degraded", message: "Sent eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLWhlcmU" },
    ],
  },
  "a bearer token": {
    conditions: [{ type: "Degraded", message: "Authorization: Bearer abcdefghijklmnop1234" }],
  },
  "an address with a password": { extension: { upstream: "postgres://admin:hunter2@db:5432/x" } },
  "a password in a message": { conditions: [{ type: "Degraded", message: "Tried password=hunter2" }] },
};
const TAKEN: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  "null as the extension": { extension: null },
  "a reference to a Secret": { extension: { uses: { kind: "Secret", namespace: "a", name: "etcd-client" } } },
  "a Secret among the related objects": {
    relatedObjects: [{ group: "", resource: "secrets", namespace: "a", name: "etcd-client" }],
  },
  "the name of a Secret": {
    extension: { tokenSecretName: "a", passwordSecretRef: { name: "b", key: "password" } },
  },
  "words about secrets": {
    conditions: [
      {
        type: "Degraded",
        message: "Secret openshift-etcd/etcd-client has no key tls.key: the password: is missing",
      },
    ],
  },
  "numbers named data": { extension: { data: 3, nodesDone: 1, data_plane: "up" } },
  "empty data": { extension: { data: {}, token: "" } },
  "an address": { extension: { console: "https://console.example.com:8443/a@b" } },
  "a digest": { extension: { image: `reg.example/rel@sha256:${"ab".repeat(32)}` } },
  "text that only begins like JSON": { conditions: [{ type: "Degraded", message: "[etcd] 2 of 3 answer" }] },
};

describe("secrets in a status", () => {
  for (const [name, status] of Object.entries(REFUSED))
    test(`scenario 43: refuses ${name}`, () => {
      assert.equal(secretsIn(status).length > 0, true);
      assert.throws(
        () => refuseSecrets(status),
        (error) => error instanceof StatusError && error.code === "STATUS_SECRET",
      );
    });
  for (const [name, status] of Object.entries(TAKEN))
    test(`takes ${name}`, () => assert.deepEqual(secretsIn(status), []));

  test("tells the place and never the value", () => {
    assert.deepEqual(secretsIn({ extension: { tls: [{ key }] } }), [
      { path: "extension.tls.0.key", looksLike: "a PEM block" },
    ]);
    assert.throws(
      () => refuseSecrets({ extension: { password: "hunter2" } }),
      (error) =>
        error instanceof StatusError &&
        error.message.includes("extension.password") &&
        !error.message.includes("hunter2"),
    );
  });
});
