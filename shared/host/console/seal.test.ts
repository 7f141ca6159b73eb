import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeObject } from "../../kube/object.ts";
import { diffOf } from "./diff.ts";
import { SEALED, sealed, sealedDiff, sealedText } from "./seal.ts";

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

  it("takes as long as a text is, whatever somebody wrote", () => {
    const hostile = [
      "a.",
      "token",
      "?token",
      '"token',
      '"token":"',
      '"a":"\\',
      "\n",
      " ",
      "a://b:",
      "Bearer ",
      "-----BEGIN PRIVATE KEY",
    ];
    const CPU = (text: string, work: (text: string) => unknown): number => {
      const times = Array.from({ length: 3 }, () => {
        const began = process.cpuUsage();
        work(text);
        return process.cpuUsage(began).user;
      });
      return Math.min(...times);
    };
    const works: Readonly<Record<string, (text: string) => unknown>> = {
      text: (text) => sealedText(text, Number.POSITIVE_INFINITY),
      path: (text) =>
        sealedDiff({ subject: "/A/b/c", change: "changed", changes: [{ path: `${text}!`, to: "x" }] }),
    };
    for (const [name, work] of Object.entries(works))
      for (const part of hostile) {
        const textOf = (length: number): string => part.repeat(length / part.length);
        const few = CPU(textOf(20_000), work);
        const many = CPU(textOf(200_000), work);
        // A square would be a hundred times as long, and seconds.
        assert.ok(many < Math.max(40 * few, 100_000), `${name} ${part}: ${few} µs, then ${many} µs`);
      }
  });

  it("cuts what is long, and leaves no half of a secret at the end", () => {
    assert.equal(sealedText("abcdef", 4), "abcd… cut");
    assert.equal(sealedText("x postgres://user:hunter2@db", 24), `x postgres://user:${SEALED}… cut`);
    assert.equal(sealedText('{"token":"hunter2"}', 14), `{"token":"${SEALED}… cut`);
    assert.equal(sealedText("a token=hunter2\ntoken: hunter2", 26), `a token=hunter2\ntoken: ${SEALED}… cut`);
    assert.equal((sealed("x".repeat(100_000)) as string).length, 16_384 + "… cut".length);
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
