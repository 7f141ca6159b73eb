import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { fixed } from "./functions/define.ts";
import { Budget, Dict, type Functions, type TemplateFunction, Templates, toValue } from "./index.ts";
import { sprig } from "./sprig.ts";

const functions: Functions = {
  ...sprig,
  include: fixed(["string", "interface {}"], ([name, data], call) => call.render(name, data)),
  text: fixed(["string", "interface {}"], ([text, data], call) => call.renderText("text", text, data)),
};
const rendered = (template: string, data = {}, files: Readonly<Record<string, string>> = {}): string => {
  const templates = new Templates({ functions, missingKey: "zero" });
  for (const [name, text] of Object.entries({ ...files, main: template })) templates.parse(name, text);
  return templates.execute("main", data);
};

describe("a text that is rendered within a template", () => {
  test("calls what the templates around it define, and defines for itself alone", () => {
    const files = { other: "{{ define `t` }}<{{ . }}>{{ end }}" };
    assert.equal(rendered('{{ text `{{ include "t" . }}` 1 }}', {}, files), "<1>");
    assert.equal(
      rendered(
        '{{ text `{{ define "t" }}own{{ end }}{{ include "t" . }}` 1 }}{{ include `t` 2 }}',
        {},
        files,
      ),
      "own<2>",
    );
  });

  test("may hold texts again, and what is no UTF-8", () => {
    assert.equal(rendered("{{ text .a . }}", { a: "{{ text .b . }}", b: "ä{{ .c }}", c: "ö" }), "äö");
    assert.equal(rendered("{{ text (b64dec `/w==`) . | b64enc }}"), "/w==");
  });

  test("is told with its own name and line, and the place around it", () => {
    assert.throws(() => rendered("\n{{ text `\n\n{{ .a.b }}` . }}"), {
      line: 2,
      message: /error calling text: template: text:3:/,
    });
    assert.throws(() => rendered("\n{{ text `{{ if }}` . }}"), {
      line: 2,
      message: /text:1: missing value for if/,
    });
  });

  test("is paid for from one account", () => {
    const templates = new Templates({ functions }).parse(
      "main",
      "{{ range until 100 }}{{ text `abcdefgh` 1 }}{{ end }}",
    );
    assert.throws(() => templates.execute("main", {}, { steps: 900 }), { code: "TEMPLATE_LIMIT" });
    const budget = new Budget({ bytes: 3_000 });
    templates.execute("main", {}, budget);
    assert.throws(() => templates.execute("main", {}, budget), { code: "TEMPLATE_LIMIT" });
  });
});

class Named extends Dict {
  override get type(): string {
    return "my.Map";
  }
  override method(name: string): TemplateFunction | undefined {
    return name === "Twice" ? fixed(["string"], ([text]) => text + text) : undefined;
  }
}

test("a map whose type has a name answers its methods, and is taken where a map is asked for, but by type", () => {
  const map = new Named([["a", toValue({ b: "c" })]]);
  const print = (template: string): string => rendered(template, { m: map });
  assert.equal(
    print("{{ .m.Twice `x` }} {{ .m.a.b }} {{ hasKey .m `a` }} {{ typeOf .m }} {{ kindOf .m }}"),
    "xx c true my.Map map",
  );
  assert.throws(
    () => print("{{ dig `a` `b` `x` .m }}"),
    /interface \{\} is my\.Map, not map\[string\]interface/,
  );
});
