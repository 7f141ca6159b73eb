import assert from "node:assert/strict";
import { test } from "vitest";
import { builtInCharts } from "../../ports/charts/adapters/built-in/index.ts";
import { ChartError } from "../../ports/charts/index.ts";
import { releaseMark } from "../apply/index.ts";
import { chartFaultText, renderedObjects } from "./index.ts";

const object = (name: string, more = "", annotations = "{}"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: ${annotations}${more}}\n`;

/** The objects of a chart that prints these documents, by name and value. */
async function rendered(...documents: readonly string[]): Promise<unknown> {
  const files = {
    "Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n",
    "templates/a.yaml": documents.join("---\n"),
  };
  const made = await renderedObjects({
    charts: builtInCharts(),
    chart: {
      ...{ version: "1.0.0", isLibrary: false },
      files: new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])),
    },
    request: { values: {}, releaseName: "addons", namespace: "kube-system" },
    called: "the chart a",
    mark: releaseMark({ metadata: { namespace: "team", name: "v1" } }),
    knows: async () => ({ scope: "Namespaced" }),
  });
  return "fault" in made
    ? made.fault
    : made.objects.map(({ object: { metadata, data }, resource }) => [
        `${resource.namespace}/${metadata.name}`,
        data,
      ]);
}

const hook = (events: string): string => `{helm.sh/hook: "${events}"}`;

test("hooks are objects, but for those of a test, a deletion and a rollback, which never come", async () => {
  const events = [
    "pre-install",
    "post-install,post-upgrade",
    "pre-upgrade,pre-delete",
    "test",
    "test-success",
    "pre-delete",
    "post-delete, post-rollback",
    "pre-rollback",
  ];
  const documents = events.map((one, at) => object(`a${at}`, "", hook(one)));
  assert.deepEqual(await rendered(...documents), [
    ["kube-system/a0", undefined],
    ["kube-system/a1", undefined],
    ["kube-system/a2", undefined],
  ]);
  assert.equal(await rendered(object("a", "", hook("pre-delete"))), "the chart a prints no object");
});

test("a fault names its place once", () => {
  const file = "web/templates/a.yaml";
  const text = (message: string, place = {}) =>
    chartFaultText(new ChartError("CHART_TEMPLATE_FAILED", message, place));
  assert.equal(text(`${file}:3: no port`, { file, line: 3 }), `${file}:3: no port`);
  assert.equal(text("no port", { file, line: 3 }), `${file}:3: no port`);
  assert.equal(text("no port", { file }), `${file}: no port`);
  assert.equal(text("no port"), "no port");
});

test("of an object that is printed twice the last one counts", async () => {
  const [first, last] = ['data: {value: "1"}\n', 'data: {value: "2"}\n'];
  assert.deepEqual(
    await rendered(
      `${object("twice")}${first}`,
      object("once"),
      `${object("twice", ", namespace: kube-system")}${last}`,
      `${object("twice", ", namespace: other")}${first}`,
    ),
    [
      ["kube-system/twice", { value: "2" }],
      ["kube-system/once", undefined],
      ["other/twice", { value: "1" }],
    ],
  );
});
