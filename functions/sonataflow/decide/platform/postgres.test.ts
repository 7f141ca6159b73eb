import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { platform } from "../../test/objects.ts";
import { databaseEnv, databaseOfService, jdbcUrl, reactiveUrl } from "./postgres.ts";

const of = (postgresql: object) => ({
  postgresql: { secretRef: { name: "s" }, ...postgresql },
  namespace: "n",
  schema: "who",
});

describe("the address of a database", () => {
  for (const [name, serviceRef, jdbc, reactive] of [
    [
      "by its Service",
      { name: "pg" },
      "jdbc:postgresql://pg.n:5432/sonataflow?currentSchema=who",
      "postgresql://pg.n:5432/sonataflow?search_path=who",
    ],
    [
      "all said",
      { name: "pg", namespace: "db", port: 1, databaseName: "d", databaseSchema: "x" },
      "jdbc:postgresql://pg.db:1/d?currentSchema=x",
      "postgresql://pg.db:1/d?search_path=x",
    ],
    [
      "empty is not said",
      { name: "pg", namespace: "", databaseName: "", databaseSchema: "" },
      "jdbc:postgresql://pg.n:5432/sonataflow?currentSchema=who",
      "postgresql://pg.n:5432/sonataflow?search_path=who",
    ],
  ] as const)
    test(name, () => {
      assert.equal(jdbcUrl(of({ serviceRef })), jdbc);
      assert.deepEqual(reactiveUrl(of({ serviceRef })), { url: reactive });
    });

  for (const [given, expected] of [
    ["jdbc:postgresql://h:1/d", "postgresql://h:1/d"],
    ["jdbc:jdbc:postgresql://h:1/d?currentSchema=x", "postgresql://h:1/d?search_path=x"],
    ["postgresql://h/d?search_path=a&currentSchema=b", "postgresql://h/d?search_path=a"],
    ["postgresql://h/d?search_path=&currentSchema=b", "postgresql://h/d"],
    ["postgresql://h/d?currentSchema=a&currentSchema=b&ssl=true#top", "postgresql://h/d?search_path=a"],
    ["jdbc:postgresql://me:pw@h:1/d?currentSchema=x", "postgresql://me:pw@h:1/d?search_path=x"],
    ["jdbc:postgresql://me@h:1/d", "postgresql://h:1/d"],
    ["jdbc:postgresql://h", "postgresql://h"],
  ] as const)
    test(`reactive: ${given}`, () =>
      assert.deepEqual(reactiveUrl(of({ jdbcUrl: given })), { url: expected }));

  for (const given of [
    "",
    "jdbc:",
    "no address",
    "jdbc:postgresql://",
    "jdbc:postgresql:///",
    "jdbc:postgresql://host:abc/db",
    "jdbc:postgresql://host name/db",
    "jdbc:postgresql://user:p/w@h/db",
    "jdbc:postgresql://h/d?currentSchema=%zz",
    "jdbc:oracle:thin:@me:secret:1",
  ])
    test(`no address: "${given}"`, () => {
      const answer = reactiveUrl(of({ jdbcUrl: given }));
      assert.ok("problem" in answer);
      assert.ok(!answer.problem.includes("secret"));
    });

  test("a database of this machine has no host", () => {
    assert.deepEqual(reactiveUrl(of({ jdbcUrl: "jdbc:postgresql:///db" })), { url: "postgresql:///db" });
    assert.deepEqual(reactiveUrl(of({ jdbcUrl: "jdbc:postgresql://[::1]:5432/db" })), {
      url: "postgresql://[::1]:5432/db",
    });
  });

  test("the two addresses of one database agree", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    fc.assert(
      fc.property(
        name,
        name,
        fc.integer({ min: 1, max: 65535 }),
        name,
        name,
        (service, namespace, port, databaseName, databaseSchema) => {
          const serviceRef = { name: service, namespace, port, databaseName, databaseSchema };
          const direct = reactiveUrl(of({ serviceRef }));
          assert.deepEqual(reactiveUrl(of({ jdbcUrl: jdbcUrl(of({ serviceRef })) })), direct);
        },
      ),
    );
  });
});

test("credentials are referenced, with keys of one's own", () => {
  const env = databaseEnv(
    of({ secretRef: { name: "s", userKey: "u", passwordKey: "p" }, jdbcUrl: "jdbc:postgresql://h/d" }),
  );
  assert.deepEqual(env.map(({ valueFrom }) => valueFrom?.secretKeyRef).filter(Boolean), [
    { name: "s", key: "u" },
    { name: "s", key: "p" },
  ]);
});

describe("the database of a service", () => {
  const postgresql = { secretRef: { name: "own" }, jdbcUrl: "jdbc:postgresql://h/own" };
  const with_ = platform({
    name: "p",
    namespace: "n",
    spec: { persistence: { postgresql: { secretRef: { name: "all" }, jdbcUrl: "jdbc:postgresql://h/all" } } },
  });
  const secret = (it: ReturnType<typeof databaseOfService>) => it?.postgresql.secretRef.name;
  test("its own before the platform's", () =>
    assert.equal(secret(databaseOfService(with_, { postgresql }, "s")), "own"));
  test("the platform's, where it says nothing or nothing of a database", () => {
    assert.equal(secret(databaseOfService(with_, undefined, "s")), "all");
    assert.equal(secret(databaseOfService(with_, {}, "s")), "all");
  });
  test("none", () =>
    assert.equal(databaseOfService(platform({ name: "p", namespace: "n" }), {}, "s"), undefined));
});
