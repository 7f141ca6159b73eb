import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { differences } from "../../../../shared/json/differences.ts";
import { fieldOf, isRecord, listOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { type Change, change, changed } from "../../test/apply/changes.ts";
import { context } from "../../test/apply/cluster.ts";
import * as samples from "../../test/apply/manifests.ts";
import { plain } from "./defaults/plain.ts";
import { merge } from "./merge.ts";

const mode = fc.constantFrom("Initializing", "Updating", "Reconciling" as const);

/** An object that was made from its manifest, and then changed by others wherever they liked but in its name. */
function live(manifest: KubeObject, changes: readonly Change[]): KubeObject {
  const made = merge(manifest, undefined, context);
  assert.equal(made.write, "create");
  const { apiVersion, kind, metadata, ...body } = made.body;
  const edited: unknown = JSON.parse(JSON.stringify(changes.reduce<unknown>(changed, body)));
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, uid: "u1", resourceVersion: "7" },
    ...(isRecord(edited) ? edited : {}),
    status: { mine: true },
  };
}

const frozen = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
};

describe("a write that was done", () => {
  test("leaves nothing to write, whatever others had changed", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples.manifests),
        fc.array(change, { maxLength: 4 }),
        mode,
        (manifest, changes, now) => {
          const about = { ...context, mode: now };
          const write = merge(frozen(manifest), frozen(live(manifest, changes)), about);
          if (write.write !== "replace") return assert.equal(write.write, "none");
          const again = merge(manifest, write.body, about);
          assert.equal(again.write, "none", "differs" in again ? again.differs.join() : "");
        },
      ),
      { numRuns: 600 },
    );
  });

  test("carries uid and version of what was read, and its status", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples.manifests),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (manifest, changes) => {
          const write = merge(manifest, live(manifest, changes), context);
          if (write.write !== "replace") return;
          assert.equal(write.body.metadata.uid, "u1");
          assert.equal(write.body.metadata.resourceVersion, "7");
          assert.deepEqual(write.body.status, { mine: true });
          assert.ok(write.differs.length > 0 && write.differs.length <= 10);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("brings back what the manifest alone decides, and keeps what others added", () => {
    fc.assert(
      fc.property(fc.constantFrom(...decided), fc.array(change, { maxLength: 5 }), (one, changes) => {
        const edited = live(one.manifest, changes);
        const write = merge(one.manifest, edited, context);
        const after = write.write === "replace" ? write.body : edited;
        assert.deepEqual(differences(plain(one.says(after)), plain(one.says(live(one.manifest, [])))), []);
        if (one.keeps !== undefined) assert.deepEqual(one.keeps(after), one.keeps(edited));
      }),
      { numRuns: 600 },
    );
  });
});

/** What one manifest decides, and what it leaves to others. */
const decided: readonly {
  readonly manifest: KubeObject;
  readonly says: (object: KubeObject) => unknown;
  readonly keeps?: (object: KubeObject) => unknown;
}[] = [
  {
    manifest: samples.deployment,
    says: ({ spec }) => {
      const pod = fieldOf(fieldOf(spec, "template"), "spec");
      return [
        fieldOf(spec, "replicas") ?? 1,
        fieldOf(spec, "selector"),
        listOf(fieldOf(pod, "containers")).map((container) =>
          ["name", "image", "command", "args"].map((name) => fieldOf(container, name)),
        ),
        listOf(fieldOf(pod, "volumes")).map((volume) => fieldOf(volume, "name")),
      ];
    },
  },
  {
    manifest: samples.configMap,
    says: ({ data }) => ["config.yaml", "empty"].map((key) => fieldOf(data, key)),
    keeps: ({ data }) => fieldOf(data, "other") ?? undefined,
  },
  { manifest: samples.role, says: ({ rules }) => rules },
  {
    manifest: samples.clusterRoleBinding,
    says: ({ subjects, roleRef }) => [subjects, fieldOf(roleRef, "kind"), fieldOf(roleRef, "name")],
  },
  {
    manifest: samples.serviceAccount,
    says: ({ automountServiceAccountToken }) => automountServiceAccountToken ?? undefined,
    keeps: ({ secrets, other }) => [secrets ?? undefined, other ?? undefined],
  },
];
