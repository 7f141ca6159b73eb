import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import * as z from "zod";
import { allBy, defineKind } from "./index.ts";
import { describeKey, eventSource, groupOfAll, keyOf, parseKey, sweepKey } from "./key.ts";

class Team extends defineKind({
  group: "router.example.org",
  version: "v1",
  kind: "Team",
  scope: "Namespaced",
  fields: { spec: z.object({ hub: z.string().optional() }) },
  status: z.object({ ready: z.boolean() }),
  facts: (it) => ({ hub: it.spec.hub }),
}) {}

const byFact = allBy(Team, "hub", { status: [] }).function({ name: "by-fact", reconcile: () => ({}) });

describe("keys", () => {
  it("come back from their text", () => {
    const part = fc.stringMatching(/^[a-z0-9][a-z0-9.:-]{0,20}$/);
    fc.assert(
      fc.property(
        part,
        part,
        fc.option(part, { nil: undefined }),
        part,
        (cluster, group, namespace, name) => {
          const key =
            keyOf(
              {
                by: "object",
                kind: Object.assign(Team, {}),
                fact: undefined,
                part: undefined,
                heeds: undefined,
              },
              { cluster, namespace, name },
              {},
            ) ?? "";
          assert.deepEqual(parseKey(key), {
            of: "object",
            cluster,
            group: "router.example.org",
            kind: "Team",
            namespace,
            name,
          });
          assert.ok(describeKey(key).endsWith(name), group);
        },
      ),
    );
  });
  it("keep any value of a fact", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const key = keyOf(byFact.key, { cluster: "c", name: "x" }, { hub: value }) ?? "";
        assert.equal((parseKey(key) as { fact?: string }).fact, value);
      }),
    );
  });
  it("are refused where they are none", () => {
    assert.throws(() => parseKey("nonsense"), /is no key/);
    assert.equal(describeKey(groupOfAll(Team, "c")), "all Teams");
  });
  it("are told to people where a sweep follows an event, whatever its id", () => {
    for (const id of ["x", "github.com/example/chart@1.4.0", "r.example/a/b/c/d@1#sha256:f"])
      assert.equal(describeKey(sweepKey(0, eventSource(id))), `dependants of ${id}`);
    assert.equal(describeKey(sweepKey(0, groupOfAll(Team, "c"))), "dependants of all Teams");
  });
});
