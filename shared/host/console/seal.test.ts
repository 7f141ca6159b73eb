import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "../../kube/object.ts";
import { diffOf } from "./diff.ts";
import { SEALED, sealed, sealedDiff } from "./seal.ts";

const texts: readonly (readonly [string, string])[] = [
  ["db.password=hunter2", `db.password=${SEALED}`],
  ["  adminToken: hunter2 # x", `  adminToken: ${SEALED}`],
  ['a: 1\n"api-key": hunter2\nb: 2', `a: 1\n"api-key": ${SEALED}\nb: 2`],
  [
    "jdbc:postgresql://db/x?user=a&password=hunter2&ssl=on",
    `jdbc:postgresql://db/x?user=a&password=${SEALED}&ssl=on`,
  ],
  ["postgres://user:hunter2@db:5432/x", `postgres://user:${SEALED}@db:5432/x`],
  ['{"level":3,"clientSecret":"hun\\"ter2"}', `{"level":3,"clientSecret":"${SEALED}"}`],
  ["Authorization: Bearer hunter2hunter2", `Authorization: Bearer ${SEALED}`],
  [
    "-----BEGIN EC PRIVATE KEY-----\nhunter2\n-----END EC PRIVATE KEY-----",
    `-----BEGIN EC PRIVATE KEY-----${SEALED}-----END EC PRIVATE KEY-----`,
  ],
];
const plain: readonly string[] = [
  "quarkus.log.level=INFO",
  "http://hub-data-index-service.wf-hub",
  "secretRef:\n  name: db",
  "Succeed is False: the secret db is missing",
  "user@example.org",
];

describe("sealing", () => {
  it("takes secrets out of texts, and nothing else", () => {
    for (const [text, expected] of texts) assert.equal(sealed(text), expected);
    for (const text of plain) assert.equal(sealed(text), text);
  });

  it("knows by its name what is one", () => {
    const env = [
      { name: "DB_PASSWORD", value: "hunter2" },
      { name: "LEVEL", value: "3" },
      { name: "TOKEN", valueFrom: { secretKeyRef: { name: "db", key: "token" } } },
    ];
    assert.deepEqual(
      sealed({ env, password: "hunter2", secretName: "db", automountServiceAccountToken: true }),
      {
        env: [{ name: "DB_PASSWORD", value: SEALED }, env[1], env[2]],
        password: SEALED,
        secretName: "db",
        automountServiceAccountToken: true,
      },
    );
  });

  it("shows that a secret changed, not what it was or is", () => {
    const pod = (password: string): KubeObject => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: "a",
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": `{"x":"${password}"}` },
      },
      spec: { containers: [{ name: "main", env: [{ name: "DB_PASSWORD", value: password }] }] },
    });
    const diff = diffOf("/Pod/default/a", pod("hunter2"), pod("hunter3")) ?? assert.fail();
    assert.deepEqual(sealedDiff(diff).changes, [
      {
        path: 'metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]',
        from: SEALED,
        to: SEALED,
      },
      { path: "spec.containers[main].env[DB_PASSWORD].value", from: SEALED, to: SEALED },
    ]);
    const secret = (data: object): KubeObject => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a" },
      data,
    });
    const changed =
      diffOf("/Secret/default/a", secret({ a: "1", b: "2" }), secret({ a: "3" })) ?? assert.fail();
    assert.deepEqual(sealedDiff(changed).changes, [
      { path: "data.a", from: SEALED, to: SEALED },
      { path: "data.b", from: SEALED },
    ]);
  });
});
