import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { parse } from "yaml";
import { generatedFiles } from "../../infra/deploy/generated.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { toySystem, Workshop } from "../../infra/testing/toy-system.ts";
import { admission, allow, defineSystem } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { chartFolder, render } from "./chart.ts";

const asked = defineSystem({
  ...toySystem,
  admits: () => ({}),
  clusters: () => ({}),
  ports: () => [],
  config: toySystem.config,
  onlyWhenNamed: "for this test",
  admissions: [
    admission("workshop-check", Workshop, ["create", "update"]).function({
      reads: [ConfigMap, Workshop],
      webhook: { configuration: "toy-operator-webhooks" },
      admit: () => allow(),
    }),
  ],
});

describe("the chart with admissions", { skip: skipWithoutHelm() !== false }, () => {
  let chart: string;
  beforeAll(() => {
    chart = mkdtempSync(join(tmpdir(), "reveille-chart-"));
    cpSync(chartFolder, chart, { recursive: true });
    for (const [file, text] of generatedFiles([asked])) writeFileSync(join(chart, file), text);
  });
  afterAll(() => rmSync(chart, { recursive: true }));
  const objects = (values: object): readonly KubeObject[] =>
    render({ systems: ["toys"], ...values }, { chart });
  const find = (all: readonly KubeObject[], kind: string, name: string) =>
    all.find((one) => one.kind === kind && one.metadata.name === name) as
      | (KubeObject & Readonly<Record<string, never>>)
      | undefined;

  it("installs the Secret and the configurations empty, and rights by name", () => {
    const all = objects({ "admission.enabled": true, "serve.enabled": true });
    const secret = find(all, "Secret", "reveille-webhooks");
    assert.ok(secret);
    assert.equal(secret.data, undefined);
    const configuration = find(all, "MutatingWebhookConfiguration", "toy-operator-webhooks");
    assert.ok(configuration);
    assert.equal(configuration.webhooks, undefined);
    assert.deepEqual(find(all, "ClusterRole", "reveille:reveille-watcher-webhooks")?.rules, [
      {
        apiGroups: ["admissionregistration.k8s.io"],
        resources: ["mutatingwebhookconfigurations"],
        resourceNames: ["toy-operator-webhooks"],
        verbs: ["patch"],
      },
    ]);
    assert.deepEqual(find(all, "Role", "reveille:reveille-watcher-certificate")?.rules, [
      {
        apiGroups: [""],
        resources: ["secrets"],
        resourceNames: ["reveille-webhooks"],
        verbs: ["get", "patch"],
      },
    ]);
    assert.deepEqual(find(all, "ClusterRole", "reveille:reveille-serve-admission")?.rules, [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
      { apiGroups: ["toys.example.org"], resources: ["workshops"], verbs: ["get", "list"] },
    ]);
  });

  it("joins Service, listener and watcher", () => {
    const all = objects({ "admission.enabled": true, "serve.enabled": true });
    const settings = find(all, "ConfigMap", "reveille-settings") as unknown as {
      readonly data: Readonly<Record<string, string>>;
    };
    const { serve, watcher } = parse(Object.values(settings.data)[0] ?? "") as Readonly<
      Record<string, Readonly<Record<string, unknown>>>
    >;
    assert.deepEqual(watcher?.webhooks, {
      service: { name: "reveille-serve", namespace: "reveille" },
      secret: "reveille-webhooks",
    });
    assert.deepEqual(serve?.admission, {
      listen: "0.0.0.0:8443",
      certificate: "/run/reveille/webhooks/tls.crt",
      key: "/run/reveille/webhooks/tls.key",
    });
    const service = find(all, "Service", "reveille-serve") as unknown as {
      readonly spec: { readonly ports: readonly object[] };
    };
    assert.deepEqual(service.spec.ports[1], { name: "admission", port: 443, targetPort: "admission" });
  });

  it("asks nobody unless it is said, and refuses to ask where nobody answers", () => {
    const all = objects({ "serve.enabled": true });
    assert.equal(find(all, "Secret", "reveille-webhooks"), undefined);
    assert.equal(find(all, "ClusterRole", "reveille:reveille-serve-admission"), undefined);
    assert.throws(() => objects({ "admission.enabled": true }), /set serve\.enabled too/);
  });
});
