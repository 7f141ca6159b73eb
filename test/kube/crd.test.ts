import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";
import * as z from "zod";
import { requireControlPlane } from "../../infra/testing/control-plane.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { defineKind } from "../../shared/kube/kind.ts";
import { Deployment } from "../../shared/kube/kinds/index.ts";
import { conditions } from "../../shared/kube/schema/condition.ts";
import { PodSpec } from "../../shared/kube/schema/pod-spec.ts";
import { intOrString, keyed, oneOf, quantity, setOf, text } from "../../shared/kube/schema/words.ts";
import { NotStructuralError } from "../../shared/kube/structural-error.ts";

class Workshop extends defineKind({
  group: "crd.example.org",
  version: "v1",
  kind: "Workshop",
  scope: "Namespaced",
  shortNames: ["ws"],
  categories: ["all"],
  description: "Uses every form that a schema may have.",
  fields: {
    spec: z.object({
      size: z.int32().min(1).max(9).default(3),
      mode: z.enum(["Fast", "Slow"]).default("Slow"),
      until: z.iso.datetime().nullable().optional(),
      surge: intOrString.optional(),
      memory: quantity.optional(),
      tools: keyed(z.object({ name: text, kind: oneOf("A", "B").default("A") }), "name", "kind").optional(),
      tags: setOf(text).optional(),
      settings: z.record(z.string(), z.unknown()).optional(),
      free: z.looseObject({ known: z.boolean().optional() }).optional(),
      template: PodSpec.partial().optional(),
    }),
  },
  status: z.object({ observedGeneration: z.int().optional(), conditions: conditions.optional() }),
  columns: [{ name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].status" }],
}) {}

test("the same declaration gives the same CRD", () => {
  assert.equal(JSON.stringify(crdOf(Workshop)), JSON.stringify(crdOf(Workshop)));
  const [version] = crdOf(Workshop).spec.versions;
  assert.deepEqual(version.schema.openAPIV3Schema.required, ["spec"]);
  assert.deepEqual(version.subresources, { status: {} });
});

test("kinds of others have no CRD", () => {
  assert.throws(() => crdOf(Deployment), NotStructuralError);
});

test("the real server accepts the CRD and works by it", async (t) => {
  const plane = await requireControlPlane(t);
  if (plane === undefined) return;
  const kubectl = (args: readonly string[], input?: unknown): string =>
    execFileSync(
      join(process.env.KUBEBUILDER_ASSETS ?? "", "kubectl"),
      ["--kubeconfig", plane.kubeconfigFile, ...args],
      {
        input: input === undefined ? "" : JSON.stringify(input),
        encoding: "utf8",
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
  kubectl(["apply", "--server-side", "-f", "-"], crdOf(Workshop));
  const deadline = Date.now() + 10_000;
  const body = {
    apiVersion: "crd.example.org/v1",
    kind: "Workshop",
    metadata: { name: "w", namespace: "default" },
  };
  for (;;) {
    try {
      kubectl(["create", "-f", "-"], {
        ...body,
        spec: {
          tools: [{ name: "t" }],
          template: { containers: [{ name: "c", ports: [{ containerPort: 1 }] }] },
        },
      });
      break;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
  const stored = JSON.parse(kubectl(["get", "crd", "workshops.crd.example.org", "-o", "json"]));
  assert.deepEqual(
    stored.status.conditions.find((condition: { type: string }) => condition.type === "NonStructuralSchema"),
    undefined,
  );
  const made = JSON.parse(kubectl(["get", "ws", "w", "-o", "json"]));
  assert.deepEqual(made.spec, {
    mode: "Slow",
    size: 3,
    tools: [{ kind: "A", name: "t" }],
    template: { containers: [{ name: "c", ports: [{ containerPort: 1, protocol: "TCP" }] }] },
  });
  assert.throws(
    () =>
      kubectl(["create", "-f", "-"], {
        ...body,
        metadata: { ...body.metadata, name: "x" },
        spec: { size: 10 },
      }),
    /spec\.size/,
  );
});
