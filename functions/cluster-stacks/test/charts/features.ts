import { chart, chartYaml, configMap, type TestChart } from "./chart.ts";
import { FORMATS } from "./formats.ts";

const object = (kind: string, name: string, more = ""): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}${more}}\n`;
const dependencies = (lines: string): string => chartYaml("web", `dependencies:\n${lines}`);
const values = "templates/values.yaml";
const all = configMap({ values: ".Values" }, "{{ .Chart.Name }}");
const KINDS =
  "ValidatingWebhookConfiguration ClusterClass Deployment Namespace Widget Secret CustomResourceDefinition Service Gadget Job ServiceAccount ConfigMap Ingress IngressClass Pod PriorityClass Role ValidatingAdmissionPolicy GatewayClass";

/** Charts of a single file each. */
const SINGLE: readonly TestChart[] = [
  chart("what a chart knows of itself", {
    "Chart.yaml": chartYaml(
      "web",
      "appVersion: 1.10\ndescription: a web\ntype: application\nkubeVersion: '>=1.20'\nkeywords: [a, b]\nhome: h\nsources: [s]\nannotations: {k: v, n: '1'}\nmaintainers: [{name: x, email: e@x, url: u}]\n",
    ),
    "templates/a.yaml": configMap({
      chart: ".Chart",
      template: ".Template",
      release: ".Release",
      name: ".Chart.Name",
      keys: "keys . | sortAlpha",
      types: "list (typeOf .) (typeOf .Values) (typeOf .Chart) (typeOf .Files) (kindOf .Values)",
    }),
  }),
  chart("what a cluster can", {
    "templates/a.yaml": configMap({
      version: ".Capabilities.KubeVersion.Version",
      major: ".Capabilities.KubeVersion.Major",
      minor: ".Capabilities.KubeVersion.Minor",
      git: ".Capabilities.KubeVersion.GitVersion",
      printed: 'printf "%s" (print .Capabilities.KubeVersion.Version)',
      all: ".Capabilities.APIVersions",
      has: '.Capabilities.APIVersions.Has "apps/v1"',
      hasNot: '.Capabilities.APIVersions.Has "monitoring.coreos.com/v1"',
      list: 'has "batch/v1" .Capabilities.APIVersions',
      new: 'semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version',
      helm: 'semverCompare ">=3.8.0" .Capabilities.HelmVersion.Version',
    }),
  }),
  chart(
    "a version with a suffix",
    { "templates/a.yaml": configMap({ v: ".Capabilities.KubeVersion.Version" }) },
    { kubernetesVersion: "1.29.4-eks-1" },
  ),
  chart("partials, include, tpl, required and nothing", {
    "values.yaml":
      "name: x\ntext: '{{ .Values.name }}-{{ .Release.Name }}{{ .Values.none }}'\ndeep: {a: null}\n",
    "templates/_a.tpl": '{{ define "web.name" }}{{ .Chart.Name }}-{{ .Values.name | upper }}{{ end }}',
    "templates/sub/_b.tpl":
      '{{- define "web.twice" -}}{{ include "web.name" . }}{{ include "web.name" . }}{{- end }}',
    "templates/a.yaml": `${configMap({
      a: 'include "web.twice" .',
      b: "tpl .Values.text .",
      c: 'required "x" .Values.name',
      d: 'tpl "{{ include \\"web.name\\" . }}{{ define \\"in\\" }}{{ .Chart.Version }}{{ end }}{{ include \\"in\\" . }}" .',
      e: 'tpl "{{ range $k, $v := .Values }}{{ $k }},{{ end }}" (dict "Values" (dict "z" 1 "a" 2) "Template" .Template)',
    })}  f: "{{ .Values.none }}|{{ .Values.deep.a }}|{{ .Values.none | default "d" }}"\n`,
  }),
  chart("numbers and words of YAML", {
    "values.yaml":
      'i: 8080\nbig: 1000000\nhuge: 123456789012345678\nf: 1.5\ng: 1.0\nh: 1e6\no: 0644\nhex: 0x1f\nd: 2020-01-01\nt: 12:30:45\nn: ~\ns: "yes"\nw: yes\nunder: 1_000\nl: [1, 2.5, x]\nmulti: |\n  a\n  b\n',
    [values]: `${all}---\n${configMap({
      types: "range $k, $v := .Values }}{{ $k }} {{ typeOf $v }} {{ end }}{{ list",
      sums: "list (add .Values.i 1) (int .Values.big) (mul .Values.f 2) (.Values.big | toString)",
      yaml: "toYaml .Values",
      printed: 'printf "%v %s %d" .Values.i .Values.d (int64 .Values.i)',
    })}`,
  }),
  chart("YAML and JSON in functions", {
    "templates/a.yaml": configMap({
      a: 'fromYaml "a: 1\\nb: [x, 1.5]"',
      b: 'fromYamlArray "- 1\\n- {a: b}"',
      c: 'fromJson "{\\"a\\": [1, null]}"',
      d: 'fromJsonArray "[1, \\"x\\"]"',
      e: 'hasKey (fromYaml "a: b: c") "Error"',
      f: 'hasKey (fromJson "[1]") "Error"',
      g: 'fromYaml ""',
      h: 'toYaml (dict "z" (list 1 (list 2 3) (dict "k" "v")) "a" "yes" "b" "1" "c" nil "e" (dict) "f" (list))',
      i: 'toPrettyJson (dict "a" (list 1 2))',
      j: 'toYamlPretty (dict "a" (list 1 (list 2 3) (dict "b" (list 4) "c" 5)))',
      k: 'mustToJson (list "<&>")',
      l: 'toRawJson "<&>"',
    }),
  }),
  chart("TOML", {
    "templates/a.yaml": configMap({
      a: 'toToml (dict "a" 1 "b" (dict "c" 2 "d" (dict "e" "f")) "l" (list 1 2) "t" (list (dict "x" 1) (dict "y" 2)) "f" 1.5 "s" "q\\"x\\n" "z" (dict) "o" true "k.k" 1 "el" (list))',
      b: "toToml .Values",
      c: 'toToml (dict "a" (dict "l" (list (dict "x" (dict "y" 1)) (dict "x" 2))) "n" nil)',
    }),
    "values.yaml": "a: 1\nb: 1000000\nc: 0.00001\nd: 123456\ne: 1234567.5\nf: [1, 2.5]\ng: {h: {i: x}}\n",
  }),
  chart("files", {
    "config/a.txt": "one\ntwo\n",
    "config/b.txt": "",
    "config/deep/c.json": '{"a": 1}',
    "bin.dat": Buffer.from([0, 255, 10]),
    "README.md": "# readme\n",
    "templates/a.yaml": configMap({
      get: '.Files.Get "config/a.txt"',
      none: '.Files.Get "nope"',
      lines: '.Files.Lines "config/a.txt"',
      config: '(.Files.Glob "config/*.txt").AsConfig',
      secrets: '(.Files.Glob "**.txt").AsSecrets',
      deep: 'range $path, $_ := .Files.Glob "config/**" }}{{ $path }};{{ end }}{{ list',
      either: 'range $path, $_ := .Files.Glob "{README.*,config/[a-b].txt}" }}{{ $path }};{{ end }}{{ list',
      empty: '(.Files.Glob "*.none").AsConfig',
      loop: 'range $path, $bytes := .Files.Glob "config/*.txt" }}{{ $path }}={{ $bytes | toString | b64enc }};{{ end }}{{ list',
      values: '.Files.Get "values.yaml"',
    }),
  }),
  chart("values that write and read themselves", {
    "values.yaml": "a: {b: 1}\n",
    "templates/a.yaml": configMap({
      set: "set .Values.a `c` 2 | keys | sortAlpha",
      map: "dig `a` `b` `x` .Values.AsMap",
      merged: "merge (dict `x` 1) .Values",
      omitted: "omit .Values `a`",
    }),
    "templates/b.yaml": configMap({ later: ".Values" }),
  }),
  chart("what a server would know", {
    "templates/a.yaml": configMap({ a: 'lookup "v1" "Secret" "a" "b"', b: 'getHostByName "localhost"' }),
  }),
  chart("helm's order of kinds", {
    "templates/a.yaml": KINDS.split(" ")
      .map((kind) => object(kind, kind.toLowerCase()))
      .join("---\n"),
    "templates/z.yaml": object("Namespace", "late"),
    "templates/0.yaml": object("Widget", "early"),
  }),
  chart("hooks", {
    "templates/a.yaml": [
      object(
        "Job",
        "b",
        ", annotations: {helm.sh/hook: 'post-install, post-upgrade', helm.sh/hook-weight: '-5'}",
      ),
      object(
        "Secret",
        "a",
        ", annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: 'hook-succeeded,before-hook-creation'}",
      ),
      object("Job", "unknown", ", annotations: {helm.sh/hook: crd-install}"),
      object("Pod", "t", ", annotations: {helm.sh/hook: test}"),
      object("ConfigMap", "plain"),
    ].join("---\n"),
  }),
  chart("documents that are empty, twice written, or odd", {
    "templates/a.yaml": `---\n# only words\n---\n\n---\n${object("ConfigMap", "a")}data: {x: '1', x: '2'}\n---   # behind\n${object("ConfigMap", "b")}---\n`,
    "templates/b.yaml": "{{ if .Values.none }}\na: b\n{{ end }}\n",
    "templates/c.txt": object("ConfigMap", "c"),
    "templates/list.yaml": `apiVersion: v1\nkind: List\nitems:\n- ${JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "in" } })}\n`,
    "templates/NOTES.txt": "Hello {{ .Release.Name }}\n",
    "templates/_ignored.yaml": object("ConfigMap", "never"),
  }),
  chart("a chart that says little of itself, and one that says nothing in many words", {
    "templates/a.yaml": configMap({ chart: ".Chart", shown: 'printf "%#v" .Chart.Keywords' }),
    "charts/db/Chart.yaml": chartYaml("db", "annotations: {}\nkeywords: []\nsources: []\ndependencies: []\n"),
    "charts/db/templates/a.yaml": configMap({ chart: ".Chart" }, "db"),
  }),
  chart("custom resource definitions", {
    "crds/b.yaml": `${object("CustomResourceDefinition", "b")}---\n${object("CustomResourceDefinition", "b2")}`,
    "crds/a.yaml": object("CustomResourceDefinition", "a"),
    "crds/words.md": "no: [object",
    "templates/a.yaml": object("ConfigMap", "a"),
  }),
  chart(
    "no custom resource definitions",
    {
      "crds/a.yaml": object("CustomResourceDefinition", "a"),
      "templates/a.yaml": object("ConfigMap", "a"),
    },
    { includeCrds: false },
  ),
  chart("files that are left out", {
    ".helmignore": "# words\n*.bak\n/secret.txt\nconfig/\ndeep/*.md\n",
    "templates/a.yaml": configMap({ names: "range $path, $_ := .Files }}{{ $path }} {{ end }}{{ list" }),
    "templates/b.yaml.bak": "never: [",
    "templates/.hidden.yaml": "never: [",
    "secret.txt": "x",
    "sub/secret.txt": "x",
    "config/a": "x",
    "deep/a.md": "x",
    "deep/er/a.md": "x",
  }),
  chart("random texts", {
    "templates/a.yaml": configMap({
      a: "randAlphaNum 12",
      b: "len (randAlpha 5)",
      c: "regexMatch `^[0-9]{7}$` (randNumeric 7)",
      d: "len (uuidv4)",
      e: "len (randBytes 12)",
      f: "lt (randInt 3 5) 5",
      g: "len (shuffle `abc`)",
      h: "len (randAscii 3)",
      i: "decryptAES `k` (encryptAES `k` `text`)",
      j: "derivePassword 1 `long` `password` `user` `example.com`",
      k: "derivePassword 3 `pin` `password` `user` `example.com`",
    }),
  }),
  chart("dates", {
    "templates/a.yaml": configMap({
      a: 'toDate "2006-01-02" "2024-02-29" | date "Mon Jan _2 15:04:05.000 2006 Z07:00 002"',
      b: 'toDate "2006-01-02 15:04" "2024-02-29 13:45" | date_modify "-1h30m" | date "3:04PM January 2, 06"',
      c: 'dateInZone "2006-01-02T15:04:05Z07:00" (toDate "2006-01-02" "2024-07-01") "Europe/Berlin"',
      d: 'toDate "2006-01-02" "2024-02-29" | unixEpoch',
      e: 'toDate "2006-01-02" "nonsense" | date "2006"',
      f: 'date "2006-01-02" 0',
      g: "typeOf now",
      h: 'htmlDate (toDate "02.01.2006" "03.04.2005")',
      i: '(toDate "2006-01-02" "2024-02-29").Year',
      k: 'mustToDate "2006-01-02" "2024-02-29" | mustDateModify "36h" | date "2006-01-02"',
      j: 'duration "95" ',
    }),
  }),
  chart("keys and certificates", {
    "templates/a.yaml": configMap({
      a: '$ca := genCA "my-ca" 365 }}{{ $one := genSignedCert "web" (list "10.0.0.1") (list "web.shop") 10 $ca }}{{ list (contains "BEGIN CERTIFICATE" $ca.Cert) (contains "RSA PRIVATE KEY" $one.Key) (typeOf $ca)',
      b: '$ca := genCA "my-ca" 365 }}{{ list ((buildCustomCert (b64enc $ca.Cert) (b64enc $ca.Key)).Cert | eq $ca.Cert)',
      c: 'contains "EC PRIVATE KEY" (genPrivateKey "ecdsa")',
      d: 'contains "BEGIN PRIVATE KEY" (genPrivateKey "ed25519")',
      e: '$self := genSelfSignedCertWithKey "self" nil nil 3 (genPrivateKey "ecdsa") }}{{ contains "CERTIFICATE" $self.Cert',
    }),
  }),
];

const sub = (name: string, files: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ "Chart.yaml": chartYaml(name), [values]: all, ...files }).map(([path, text]) => [
      `charts/${name}/${path}`,
      text,
    ]),
  );

/** Charts with charts in them. */
const NESTED: readonly TestChart[] = [
  chart(
    "values flow down",
    {
      "values.yaml":
        "global: {zone: a, deep: {x: 1}}\ndb: {size: 3, gone: null, map: {a: null, c: 3}}\nown: null\nkeep: {a: 1, b: null}\n",
      [values]: all,
      ...sub("db", {
        "values.yaml":
          "size: 1\ngone: here\nother: 2\nnull1: null\nmap: {a: 1, b: 2, n: null}\nglobal: {zone: b, tier: t, deep: {y: 2}}\n",
      }),
    },
    {
      values: {
        keep: { a: null, z: null },
        db: { other: null, map: { b: null } },
        top: null,
        global: { deep: { x: null } },
      },
    },
  ),
  chart(
    "a table over a scalar, and a scalar over a table",
    {
      "values.yaml": "a: {b: 1}\nc: 1\nd: {e: {f: 1}}\n",
      [values]: all,
    },
    { values: { a: 5, c: { x: 1 }, d: { e: 2 } } },
  ),
  chart("aliases, conditions and tags", {
    "Chart.yaml": dependencies(
      [
        "- {name: db, version: 1.x, alias: one, condition: 'one.enabled,all.enabled'}",
        "- {name: db, version: 1.x, alias: two, condition: two.enabled}",
        "- {name: cache, version: '>=1', tags: [fast]}",
        "- {name: queue, version: ^1.0.0, tags: [slow, fast], condition: queue.enabled}",
        "- {name: other, version: 2.x}",
      ].join("\n"),
    ),
    "values.yaml":
      "tags: {fast: false, slow: true}\ntwo: {enabled: false}\nall: {enabled: true}\none: {size: 7}\n",
    [values]: configMap({ values: ".Values", deps: ".Chart.Dependencies" }),
    ...sub("db", { "values.yaml": "size: 1\n" }),
    ...sub("cache"),
    ...sub("queue"),
    ...sub("other"),
  }),
  ...["1.x", "2.x"].map((version) =>
    chart(`two versions of a chart, of which a dependency wants ${version}`, {
      "Chart.yaml": dependencies(`- {name: db, version: ${version}}\n`),
      [values]: configMap({ version: ".Subcharts.db.Chart.Version", t: 'include "t" .' }),
      ...Object.fromEntries(
        ["1.0.0", "2.0.0"].flatMap((each) => [
          [`charts/db-${each}/Chart.yaml`, `apiVersion: v2\nname: db\nversion: ${each}\n`],
          [`charts/db-${each}/values.yaml`, `size: ${each}\nonly${each.charAt(0)}: yes\n`],
          [`charts/db-${each}/templates/_t.tpl`, `{{ define "t" }}${each}{{ end }}`],
          [`charts/db-${each}/templates/a.yaml`, configMap({ chart: ".Chart", values: ".Values" }, "both")],
          [`charts/db-${each}/templates/${each}.yaml`, configMap({ t: 'include "t" .' }, `v${each}`)],
          [`charts/db-${each}/crds/x.yaml`, object("CustomResourceDefinition", `v${each}`)],
        ]),
      ),
    }),
  ),
  chart("conditions of charts in charts", {
    "Chart.yaml": dependencies("- {name: mid, version: 1.x}\n"),
    "values.yaml": "mid: {low: {enabled: false}}\n",
    ...sub("mid", {
      "Chart.yaml": chartYaml(
        "mid",
        "dependencies:\n- {name: low, version: 1.x, condition: low.enabled}\n- {name: lower, version: 1.x, condition: lower.enabled}\n",
      ),
      "values.yaml": "lower: {enabled: true, x: 1}\n",
    }),
    "charts/mid/charts/low/Chart.yaml": chartYaml("low"),
    "charts/mid/charts/low/templates/a.yaml": all,
    "charts/mid/charts/lower/Chart.yaml": chartYaml("lower"),
    "charts/mid/charts/lower/templates/a.yaml": all,
  }),
  chart("values that are imported", {
    "Chart.yaml": dependencies(
      "- name: db\n  version: 1.x\n  import-values: [data, none, {child: settings.deep, parent: from.db}, {child: missing, parent: x}]\n",
    ),
    "values.yaml": "from: {db: {a: own}}\nport: null\n",
    [values]: all,
    ...sub("db", {
      "values.yaml": "exports: {data: {port: 1, host: h}}\nsettings: {deep: {a: child, b: [1]}}\n",
    }),
  }),
  chart("a library", {
    "Chart.yaml": dependencies("- {name: lib, version: 1.x}\n"),
    "templates/a.yaml": configMap({ a: 'include "lib.name" .', b: ".Subcharts.lib.Chart.Type" }),
    ...sub("lib", {
      "Chart.yaml": chartYaml("lib", "type: library\n"),
      "templates/_lib.tpl": '{{ define "lib.name" }}{{ .Chart.Name }} of lib{{ end }}',
      [values]: "kind: Never\n{{ fail `never` }}",
    }),
  }),
  chart("the parent's definition counts", {
    "templates/_t.tpl": '{{ define "t" }}parent{{ end }}',
    "templates/a.yaml": configMap({ a: 'include "t" .' }),
    ...sub("db", {
      "templates/_t.tpl": '{{ define "t" }}child{{ end }}',
      [values]: configMap({ a: 'include "t" .', n: ".Template.Name", p: ".Template.BasePath" }, "db"),
    }),
  }),
  chart("the first version of charts", {
    "Chart.yaml": "name: web\nversion: v1\n",
    "requirements.yaml": "dependencies:\n- {name: db, version: 1.x, alias: store}\n",
    [values]: configMap({ deps: ".Chart.Dependencies", file: '.Files.Get "requirements.yaml"' }),
    ...sub("db"),
  }),
  chart("subcharts and their data", {
    [values]: configMap({
      names: "keys .Subcharts",
      name: ".Subcharts.db.Chart.Name",
      value: ".Subcharts.db.Values",
      root: "list .Chart.IsRoot .Subcharts.db.Chart.IsRoot",
      all: "keys .Subcharts.db | sortAlpha",
    }),
    ...sub("db", { "values.yaml": "a: 1\n", "crds/x.yaml": object("CustomResourceDefinition", "x") }),
    "charts/_hidden/never": "x",
  }),
  chart("values with a schema", {
    "values.schema.json": JSON.stringify({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      required: ["port"],
      properties: {
        port: { $ref: "#/definitions/port" },
        mode: { enum: ["a", "b"] },
        names: { type: "array", items: { type: "string", pattern: "^[a-z]+$" }, uniqueItems: true },
        either: { oneOf: [{ type: "string" }, { type: "integer" }] },
      },
      definitions: { port: { type: ["integer", "null"], minimum: 1, maximum: 65535 } },
    }),
    "values.yaml": "port: 80\nmode: a\nnames: [x, z]\neither: 3\n",
    [values]: all,
  }),
  chart(
    "values with a schema of an older draft, which knows neither newer keywords nor what stands beside a reference",
    {
      "values.schema.json": JSON.stringify({
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: { port: { $ref: "#/definitions/port", maximum: 79 } },
        definitions: { port: { type: "integer" } },
        dependentRequired: { port: ["mode"] },
        unevaluatedProperties: false,
      }),
      "values.yaml": "port: 80\n",
      [values]: all,
    },
  ),
  chart("values with a schema of an older draft, which wants formats, and refuses others", {
    "values.schema.json": JSON.stringify({
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: Object.fromEntries(
        Object.keys(FORMATS).map((format) => [
          format,
          { properties: { good: { items: { format } }, bad: { items: { not: { format } } } } },
        ]),
      ),
    }),
    "values.yaml": JSON.stringify(FORMATS),
    [values]: all,
  }),
  chart("values with a schema of a newer draft, in which formats are only words", {
    "values.schema.json": JSON.stringify({ properties: { a: { format: "email" } } }),
    "values.yaml": "a: nobody\n",
    [values]: all,
  }),
  chart("values with a schema that wants multiples of fractions", {
    "values.schema.json": JSON.stringify({
      properties: { a: { multipleOf: 0.1 }, b: { multipleOf: 1e-7 }, c: { multipleOf: 5 } },
    }),
    "values.yaml": "a: 0.3\nb: -12.3456789\nc: 1e+21\n",
    [values]: all,
  }),
];

export const FEATURES: readonly TestChart[] = [...SINGLE, ...NESTED];
