import { chart, chartYaml, type TestChart } from "./chart.ts";

const failing = (name: string, template: string, more: TestChart["files"] = {}): TestChart =>
  chart(name, { "templates/a.yaml": template, ...more });
const schema = (value: object): TestChart["files"] => ({ "values.schema.json": JSON.stringify(value) });

/** Charts that cannot be rendered. */
export const ERRORS: readonly TestChart[] = [
  failing("the author's words", "\n\n{{ fail `no way` }}"),
  failing("a value that is required", "a: 1\n{{ required `say port` .Values.port }}"),
  failing("the author's words in a partial", '\n{{ include "t" . }}', {
    "templates/_t.tpl": '{{ define "t" }}\n\n\n{{ fail `inner` }}{{ end }}',
  }),
  failing("a template that is none", "\n{{ if }}"),
  failing("a function that there is not", "\n\n{{ nosuch 1 }}"),
  failing("a partial that is none", "{{ 1 }}", { "templates/_t.tpl": "\n{{ define }}" }),
  failing("nothing has no fields", "\n{{ .Values.a.b.c }}"),
  failing("nothing has no fields, in another file", '{{ template "t" . }}', {
    "templates/_t.tpl": '{{ define "t" }}\n{{ .Values.a.b.c }}{{ end }}',
  }),
  failing("nothing has no fields, in a partial", '\n{{ include "t" . }}', {
    "templates/_t.tpl": '{{ define "t" }}\n{{ .Values.a.b.c }}{{ end }}',
  }),
  failing("a partial that nobody defines", '\n\n\n{{ include "none" . }}'),
  failing("a text that fails", "\n{{ tpl `{{ .a.b.c }}` . }}"),
  failing("a text that is no template", "\n{{ tpl `{{ if }}` . }}"),
  failing("an argument of a wrong type", "\n{{ upper 1 }}"),
  failing("values are no plain map", "\n{{ dig `a` `b` 1 .Values }}"),
  failing("a date that is none", '\n{{ mustToDate "2006-01-02" "29.2.2024" }}'),
  failing("a span that is none", '\n{{ mustDateModify "a day" now }}'),
  failing("what is no YAML", "a: b: c\n"),
  failing("what is no object", "just words\n"),
  failing("notes that fail", "a: 1", { "templates/NOTES.txt": "\n{{ fail `notes` }}" }),
  failing("in a subchart", "a: 1", {
    "charts/db/Chart.yaml": chartYaml("db"),
    "charts/db/templates/x.yaml": "\n\n{{ fail `db` }}",
  }),
  failing("values of a subchart that are no map", "a: 1", {
    "charts/db/Chart.yaml": chartYaml("db"),
    "values.yaml": "db: 3\n",
  }),
  failing("a value of a wrong type", "a: 1", {
    ...schema({ properties: { port: { type: "integer" } } }),
    "values.yaml": "port: x\n",
  }),
  failing("a value that is no multiple of a fraction", "a: 1", {
    ...schema({ properties: { weight: { multipleOf: 0.1 } } }),
    "values.yaml": "weight: 0.35\n",
  }),
  failing("a value that only newer drafts refuse, and this is one", "a: 1", {
    ...schema({ $schema: "https://json-schema.org/draft/2019-09/schema", dependentRequired: { a: ["b"] } }),
    "values.yaml": "a: 1\n",
  }),
  failing("a value that a subchart's schema wants", "a: 1", {
    "charts/db/Chart.yaml": chartYaml("db"),
    "charts/db/values.schema.json": JSON.stringify({ required: ["size"], additionalProperties: false }),
    "values.yaml": "db: {other: 1}\n",
  }),
  failing("an address that is none", "a: 1", {
    ...schema({
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { contact: { format: "email" } },
    }),
    "values.yaml": "contact: nobody\n",
  }),
  ...["v3", "v4"].map((apiVersion) => ({
    ...failing(`a chart of the version ${apiVersion}`, "a: 1"),
    files: { "Chart.yaml": `apiVersion: ${apiVersion}\nname: web\nversion: 1.2.3\n` },
  })),
  {
    ...failing("another Kubernetes", "a: 1"),
    files: { "Chart.yaml": chartYaml("web", "kubeVersion: '>=1.99'\n") },
  },
  { ...failing("a library alone", "a: 1"), files: { "Chart.yaml": chartYaml("web", "type: library\n") } },
  {
    ...failing("a subchart that is missing", "a: 1"),
    files: { "Chart.yaml": chartYaml("web", "dependencies:\n- {name: db, version: 1.x}\n") },
  },
  failing("a file that lies among the subcharts", "a: 1", { "charts/README.md": "words" }),
  failing("a subchart that is damaged", "a: 1", { "charts/db-1.0.0.tgz": "words" }),
  { name: "no chart", files: { "templates/a.yaml": "a: 1" } },
  failing("values that are no YAML", "a: 1", { "values.yaml": "a: b: c\n" }),
  failing("values that are no map", "a: 1", { "values.yaml": "- a\n" }),
];
