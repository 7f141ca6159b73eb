import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { type AddonObjects, addonValues } from "./values.ts";

const objects: AddonObjects = {
  Cluster: {
    metadata: { name: "demo" },
    spec: {
      controlPlaneEndpoint: { host: "10.0.0.1", port: 6443 },
      topology: { variables: [{ name: "cni", value: { mtu: 1_000_000, ratio: 0.5 } }] },
    },
  },
  ControlPlane: { spec: { version: "v1.30.2" } },
  InfraCluster: { status: { network: { id: "n-1", subnets: [] } } },
};
const rendered = (template: string) => addonValues("values.yaml", template, objects);

describe("the values of an addon", () => {
  it("are what the template prints, or the document under values", () => {
    assert.deepEqual(rendered("a: {{ .Cluster.metadata.name }}\nvalues: {b: 1}"), {
      values: { a: "demo", values: { b: 1 } },
    });
    assert.deepEqual(
      rendered("values: |\n  a: {{ .InfraCluster.status.network.id | quote }}\n  b: {c: 1}\n"),
      {
        values: { a: "n-1", b: { c: 1 } },
      },
    );
    assert.deepEqual(rendered("{{/* nothing */}}"), { values: {} });
  });

  it("read whole numbers as numbers, variables and the version", () => {
    const template = `{{- define "mtu" }}{{ range .Cluster.spec.topology.variables }}{{ if eq .name "cni" }}{{ .value.mtu }}{{ end }}{{ end }}{{ end -}}
values: |
  mtu: {{ template "mtu" . }}
  ratio: {{ (index .Cluster.spec.topology.variables 0).value.ratio }}
  {{- if semverCompare ">=1.30" (trimPrefix "v" $.ControlPlane.spec.version) }}
  new: true
  {{- else if .Cluster.spec.none }}
  new: false
  {{- end }}
  host: {{ printf "%s:%d" .Cluster.spec.controlPlaneEndpoint.host .Cluster.spec.controlPlaneEndpoint.port }}
  none: {{ .Cluster.spec.none }}
  subnets:{{ dict "a" 1 | toJson | nindent 4 }}
`;
    assert.deepEqual(rendered(template), {
      values: {
        mtu: 1_000_000,
        ratio: 0.5,
        new: true,
        host: "10.0.0.1:6443",
        none: "<no value>",
        subnets: { a: 1 },
      },
    });
  });

  it("are a fault that names the file and the line", () => {
    for (const [template, line, message] of [
      ["a: 1\nb: {{ .Cluster.metadata.name.deeper }}", 2, /values\.yaml:2:.*string/],
      ["\n{{ if }}", 2, /values\.yaml:2/],
      ['{{ env "HOME" }}', 1, /outside/],
      ["{{ randAlphaNum 5 }}", 1, /never settle/],
      ["a: b: c", undefined, /values\.yaml prints is no YAML/],
      ["- a", undefined, /is no map/],
      ["values: |\n  - a", undefined, /under values .* is no map/],
    ] as const) {
      const found = rendered(template);
      assert.ok("fault" in found, template);
      assert.equal(found.line, line, template);
      assert.match(found.fault, message);
    }
  });
});

const data = process.env.CONFORMANCE_DATA ?? "";
describe.skipIf(data === "")("the published templates", () => {
  for (const file of globSync("cluster-stack/**/{cluster-addon-values,overwrite}.yaml", { cwd: data }))
    it(`${file} gives values that name the cluster's host`, () => {
      const found = addonValues(file, readFileSync(join(data, file), "utf8"), objects);
      assert.ok("values" in found, JSON.stringify(found));
      assert.match(JSON.stringify(found.values), /"domain":"10\.0\.0\.1"/);
    });
});
