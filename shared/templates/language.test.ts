import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { type Data, Int, List, parseTemplate, TemplateError, Templates, textMap } from "./index.ts";
import { sprig } from "./sprig.ts";

const data: Data = {
  Name: "web",
  Empty: null,
  Count: 3,
  Million: 1_000_000,
  Big: 2n ** 60n,
  On: true,
  List: ["a", "b", "c"],
  Map: { b: 2, a: 1, "x y": null },
  Pipes: textMap({ cert: "web-cert" }),
  Nil: new List([], "interface {}", true),
};

/** Template to what it prints. */
function rows(title: string, table: Readonly<Record<string, string>>): void {
  describe(title, () => {
    for (const [template, expected] of Object.entries(table))
      test(template, () => {
        assert.equal(parseTemplate("file", template, { functions: sprig }).execute(data), expected);
      });
  });
}

rows("values", {
  "{{ .Name }} {{ .Count }} {{ .Million }} {{ .Big }}": "web 3 1e+06 1152921504606846976",
  "{{ .Empty }} {{ .On }} {{ default 1 nil }}": "<no value> true 1",
  "{{ .List }} {{ .Map }} {{ .Nil }}": "[a b c] map[a:1 b:2 x y:<nil>] []",
  "{{ 0x10 }} {{ 1_000 }} {{ 017 }} {{ 'a' }} {{ 1e3 }} {{ .5 }} {{ 1i }}": "16 1000 15 97 1000 0.5 (0+1i)",
  '{{ "tab\\tq\\"" }} {{ `raw\\t` }} {{ "\\u00e9" }}': 'tab\tq" raw\\t é',
  "{{ 9007199254740993 }} {{ add 9007199254740992 1 }}": "9007199254740993 9007199254740993",
});

rows("white space and comments", {
  "a \n {{- .Name -}} \n b": "awebb",
  "a {{- 3 }} {{-3}} {{/* x */}}b{{- /* y */ -}} c": "a3 -3 bc",
});

rows("control", {
  "{{ if .Count }}yes{{ else }}no{{ end }}{{ if .Empty }}a{{ else if .On }}b{{ end }}": "yesb",
  "{{ with .Name }}{{ . }}{{ end }}{{ with .Empty }}a{{ else with .Count }}{{ . }}{{ end }}": "web3",
  "{{ range .List }}{{ . }},{{ end }}{{ range .Nil }}x{{ else }}none{{ end }}": "a,b,c,none",
  "{{ range $i, $v := .List }}{{ $i }}{{ $v }}{{ end }}": "0a1b2c",
  "{{ range $k, $v := .Map }}{{ $k }}={{ $v }};{{ end }}": "a=1;b=2;x y=<no value>;",
  "{{ range 3 }}{{ . }}{{ end }}{{ range $i := until 2 }}{{ $i }}{{ end }}": "01201",
  "{{ range .List }}{{ if eq . `b` }}{{ continue }}{{ end }}{{ . }}{{ end }}": "ac",
  "{{ range .List }}{{ . }}{{ break }}{{ end }}": "a",
  "{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ $x := 3 }}{{ end }}{{ $x }}": "2",
  '{{ define "t" }}<{{ . }}>{{ end }}{{ template "t" .Name }}{{ block "b" 1 }}{{ . }}{{ end }}': "<web>1",
});

rows("Go's own functions", {
  "{{ and 1 0 2 }} {{ or 0 `` 2 }} {{ not 0 }}": "0 2 true",
  "{{ eq 1 1 }} {{ eq .Name `a` `web` }} {{ ne 1 2 }} {{ lt 1 2 }} {{ ge `b` `a` }}":
    "true true true true true",
  "{{ index .List 1 }} {{ index .Map `b` }} {{ index .Pipes `none` }}|{{ len .Name }}": "b 2 |3",
  "{{ printf `%05d|%-5s|%5.2f|%q|%v|%T|%x` 42 `ab` 3.14159 `q` .List .Big `hi` }}":
    '00042|ab   | 3.14|"q"|[a b c]|int64|6869',
  "{{ printf `%d %s` `a` }}{{ printf `%d` 1 2 }}": "%!d(string=a) %!s(MISSING)1%!(EXTRA int=2)",
  "{{ print 1 2 `a` 3 }} {{ println 1 }}": "1 2a3 1\n",
  "{{ html `<a&b>` }} {{ js `it's` }} {{ urlquery `a b&c` }}": "&lt;a&amp;b&gt; it\\'s a+b%26c",
});

describe("errors name class, code, template and line", () => {
  for (const [template, [code, line]] of Object.entries<readonly [string, number]>({
    "\n{{ .Name": ["TEMPLATE_SYNTAX", 2],
    "{{ if 1 }}": ["TEMPLATE_SYNTAX", 1],
    "{{ end }}": ["TEMPLATE_SYNTAX", 1],
    "a\n{{ nosuch 1 }}": ["TEMPLATE_FUNCTION_UNKNOWN", 2],
    "{{ secret }}": ["TEMPLATE_FUNCTION_REFUSED", 1],
    "{{ $x }}": ["TEMPLATE_VARIABLE_UNKNOWN", 1],
    "\n\n{{ .Nope }}": ["TEMPLATE_KEY_MISSING", 3],
    "{{ .Name.x }}": ["TEMPLATE_KEY_MISSING", 1],
    "{{ upper 1 }}": ["TEMPLATE_FAILED", 1],
    "{{ index .List 9 }}": ["TEMPLATE_FAILED", 1],
    '{{ template "none" }}': ["TEMPLATE_FAILED", 1],
    "{{\nfail\n`stop` }}": ["TEMPLATE_FAILED", 2],
  }))
    test(template, () =>
      assert.throws(
        () =>
          parseTemplate("file.yaml", template, {
            functions: { ...sprig, secret: { refused: "it is a secret" } },
          }).execute(data),
        (error) =>
          error instanceof TemplateError &&
          error.code === code &&
          error.line === line &&
          error.template === "file.yaml" &&
          error.message.includes(`file.yaml:${line}:`),
      ),
    );
});

describe("what would not end is refused", () => {
  for (const template of [
    "{{ range until 1000000000 }}{{ end }}",
    "{{ range 9007199254740993 }}{{ end }}",
    '{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ $d }}',
    '{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ toJson $d }}',
    '{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ merge $d $d }}',
    "{{ $x := list }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ $x }}",
    '{{ repeat 1000000000 "x" }}',
    '{{ "a" | indent 999999999 }}',
    '{{ $s := "xx" }}{{ range until 100 }}{{ $s = print $s $s }}{{ end }}',
    '{{ define "t" }}{{ template "t" . }}{{ end }}{{ template "t" . }}',
    '{{ printf "%1000000d" 1 | repeat 1000 }}',
    `{{ ${"(".repeat(300)}1${")".repeat(300)} }}`,
    `${"{{ if 1 }}".repeat(20_000)}${"{{ end }}".repeat(20_000)}`,
  ])
    test(template.slice(0, 80), () => {
      assert.throws(
        () => parseTemplate("file", template, { functions: sprig }).execute(data),
        (error) => error instanceof TemplateError && error.code === "TEMPLATE_LIMIT",
      );
    });
});

test("files of one set call each other, and the last that is not blank counts", () => {
  const templates = new Templates({ functions: sprig, missingKey: "zero" })
    .parse("_names.tpl", '{{ define "name" }}{{ .Release }}-{{ .Chart.None }}{{ end }}')
    .parse("a.yaml", 'name: {{ template "name" . }}')
    .parse("b.yaml", '{{ define "name" }} {{ end }}');
  assert.equal(templates.execute("a.yaml", { Release: "r", Chart: {} }), "name: r-<no value>");
});

test("a function of one's own declares its arguments in Go's types", () => {
  const functions = {
    plus: {
      takes: ["int", "int"] as const,
      run: ([one, other]: readonly unknown[]) =>
        one instanceof Int && other instanceof Int ? new Int(one.value + other.value) : undefined,
    },
  };
  assert.equal(parseTemplate("file", "{{ 1 | plus 2 }}", { functions }).execute({}), "3");
  assert.throws(
    () => parseTemplate("file", "{{ plus 1 `a` }}", { functions }).execute({}),
    /expected integer/,
  );
});

test("words of the language can be refused, and Go's own functions left out", () => {
  const functions = { range: { refused: "it is too much" }, define: { refused: "it is too much" } };
  for (const template of ["{{ range .List }}{{ end }}", '{{ define "a" }}{{ end }}'])
    assert.throws(
      () => parseTemplate("t", template, { functions }),
      (error) => error instanceof TemplateError && error.code === "TEMPLATE_FUNCTION_REFUSED",
    );
  assert.throws(
    () => parseTemplate("t", "{{ len `a` }}", { builtins: {} }),
    (error) =>
      error instanceof TemplateError && error.code === "TEMPLATE_FUNCTION_UNKNOWN" && error.source === "len",
  );
});

test("references are found without data", () => {
  const text = "{{ .Params.A }}\n{{ range .L }}{{ .b }}{{ $.Params.B }}{{ end }}{{ template `none` . }}";
  const found = parseTemplate("file", text)
    .references()
    .map(({ is, name, line }) => `${is} ${name} ${line}`);
  assert.deepEqual(found, ["field Params.A 1", "field L 2", "field Params.B 2", "template none 2"]);
});

test("a wrong end of a block is told at the line of the block, one of a definition at its own", () => {
  const lineOf = (text: string): number | undefined => {
    try {
      parseTemplate("file", text);
    } catch (thrown) {
      if (thrown instanceof TemplateError) return thrown.line;
      throw thrown;
    }
    return undefined;
  };
  assert.equal(lineOf('one\n{{block "b" .}}\n\n{{else}}{{end}}'), 2);
  assert.equal(lineOf('one\n{{define "b"}}\n\n{{else}}{{end}}'), 4);
});
