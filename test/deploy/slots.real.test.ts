import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import * as z from "zod";
import { withSettings } from "../../infra/deploy/chart-schema.ts";
import { generatedFiles } from "../../infra/deploy/generated.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { awaited, defineDynamic, defineSystem, each } from "../../shared/function/index.ts";
import { admittedTo } from "../../shared/host/configuration.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { awaitedRulesOf, executionRulesOf, slotRulesOf } from "../../shared/runner/rights.ts";
import { Tank } from "../engine/kinds.ts";
import { chartFolder, render } from "./chart.ts";

class Part extends defineDynamic("part") {}

const fitter = each(Tank).function({
  name: "fitter",
  writes: [awaited(Part, "a test")],
  executes: { why: "a test", podsOf: Part },
  verbs: { part: ["get", "create", "patch", "update"] },
  reconcile: () => ({}),
});
const system = defineSystem({
  name: "fittings",
  functions: [fitter],
  config: z.object({ parts: z.object({ kinds: z.array(z.string()).default(["configmaps"]) }).prefault({}) }),
  admits: (config) => ({ part: config.parts.kinds }),
});

/** What one may do, a line a verb, whatever the rules' order. */
const linesOf = (rules: readonly unknown[]): readonly string[] =>
  (
    rules as readonly {
      apiGroups: string[];
      resources: string[];
      resourceNames?: string[];
      verbs: string[];
    }[]
  )
    .flatMap(({ apiGroups, resources, resourceNames = ["*"], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.flatMap((verb) => resourceNames.map((name) => `${verb} ${resource}.${group}/${name}`)),
        ),
      ),
    )
    .sort();

describe("roles for what the configuration admits", { skip: skipWithoutHelm() !== false }, () => {
  const CONFIGURATIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    "the default": {},
    "some kinds": { fittings: { parts: { kinds: ["deployments.apps", "jobs.batch", "services"] } } },
    "rights too": {
      fittings: {
        parts: {
          kinds: ["clusterroles.rbac.authorization.k8s.io", "rolebindings.rbac.authorization.k8s.io"],
        },
      },
    },
    "Secrets too": { fittings: { parts: { kinds: ["secrets", "services"] } } },
    "Secrets by their names": {
      fittings: { parts: { kinds: ["secrets/acme", "secrets/other", "pods/one", "deployments.apps/web"] } },
    },
    "Pods too": { fittings: { parts: { kinds: ["pods", "configmaps"] } } },
    "a group": { fittings: { parts: { kinds: ["*.apps", "*."] } } },
    everything: { fittings: { parts: { kinds: ["*"] } } },
    nothing: { fittings: { parts: { kinds: [] } } },
  };
  for (const [name, configuration] of Object.entries(CONFIGURATIONS))
    test(`the chart derives what the declarations say: ${name}`, (t) => {
      const folder = mkdtempSync(join(tmpdir(), "chart-slots-"));
      t.onTestFinished(() => rmSync(folder, { recursive: true }));
      cpSync(chartFolder, folder, { recursive: true });
      for (const [file, content] of generatedFiles([system])) writeFileSync(join(folder, file), content);
      const schema = join(folder, "values.schema.json");
      writeFileSync(schema, withSettings(readFileSync(schema, "utf8"), [system]));
      const objects = render({ configuration }, { chart: folder });
      const role = objects.find(
        ({ kind, metadata }: KubeObject) => kind === "ClusterRole" && metadata.name.endsWith("-fitter-part"),
      );
      const [expected] = slotRulesOf(fitter, admittedTo([system], configuration)(fitter));
      assert.deepEqual(linesOf((role?.rules as readonly unknown[]) ?? []), linesOf(expected?.rules ?? []));
      const own = objects.flatMap(({ kind, metadata, rules }: KubeObject) =>
        kind === "ClusterRole" && metadata.name.endsWith("-fitter") ? (rules as readonly unknown[]) : [],
      );
      assert.deepEqual(
        linesOf(own).filter((line) => line.includes("pods/exec")),
        linesOf(executionRulesOf(fitter, admittedTo([system], configuration)(fitter))),
      );
      const watching = objects.find(
        ({ kind, metadata }: KubeObject) =>
          kind === "ClusterRole" && metadata.name.endsWith("-watcher-awaited"),
      );
      const followed = awaitedRulesOf(fitter, admittedTo([system], configuration)(fitter));
      assert.deepEqual(linesOf((watching?.rules as readonly unknown[]) ?? []), linesOf(followed));
      const binding = objects.find(
        ({ kind, metadata }) => kind === "ClusterRoleBinding" && metadata.name === role?.metadata.name,
      );
      assert.equal(binding === undefined, role === undefined);
    });
});
