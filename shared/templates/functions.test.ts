import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseTemplate, TemplateError } from "./index.ts";
import { paths, sprig, unstable } from "./sprig.ts";
import { toYamlSigs, toYamlV2 } from "./yaml.ts";

const render = (template: string, functions = sprig): string =>
  parseTemplate("t", template, { functions }).execute({});

describe("what would never settle is refused by name", () => {
  for (const name of Object.keys(unstable))
    test(name, () =>
      assert.throws(
        () => render(`{{ ${name} }}`, { ...sprig, ...unstable }),
        (error) =>
          error instanceof TemplateError &&
          error.code === "TEMPLATE_FUNCTION_REFUSED" &&
          error.class === "parse",
      ),
    );
});

test("no function is both given and refused", () => {
  assert.deepEqual(
    Object.keys(unstable).filter((name) => name in sprig),
    [],
  );
});

test("the two libraries of YAML differ in numbers and long lines", () => {
  const template = '{{ toYaml (dict "n" 1e6 "t" (repeat 12 "a word ")) }}';
  const text = "a word ".repeat(12);
  assert.equal(render(template, { ...sprig, toYaml: toYamlV2 }), `"n": 1e+06\nt: '${text}'\n`);
  assert.match(
    render(template, { ...sprig, toYaml: toYamlSigs }),
    /^"n": 1000000\nt: '(a word )+a\n {2}word /,
  );
});

test.each([
  ["v", "1.10.0-rc.1+b7"],
  ["q", '"1.10.0-rc.1+b7"'],
  [
    "#v",
    '&semver.Version{major:0x1, minor:0xa, patch:0x0, pre:"rc.1", metadata:"b7", original:"v1.10.0-rc.1+b7"}',
  ],
  ["d", "&{1 10 0 %!d(string=rc.1) %!d(string=b7) %!d(string=v1.10.0-rc.1+b7)}"],
  [
    "08d",
    "&{00000001 00000010 00000000 %!d(string=0000rc.1) %!d(string=000000b7) %!d(string=v1.10.0-rc.1+b7)}",
  ],
  [
    "t",
    "&{%!t(uint64=1) %!t(uint64=10) %!t(uint64=0) %!t(string=rc.1) %!t(string=b7) %!t(string=v1.10.0-rc.1+b7)}",
  ],
])("a version by the verb %%%s is printed as Go prints it", (verb, expected) =>
  assert.equal(render(`{{ printf "%${verb}" (semver "v1.10.0-rc.1+b7") }}`), expected),
);

test("paths with slashes are there for those who ask", () => {
  assert.equal(render('{{ base "/a/b" }} {{ ext "c.yaml" }} {{ dir "/a/b" }}', paths), "b .yaml /a");
});

describe("searches take no longer than their text allows", () => {
  for (const [name, template] of Object.entries({
    "nested repeats": '{{ regexMatch "^(a+)+$" (print (repeat 3000 "a") "!") }}',
    "a match at each place": '{{ regexFindAll "(a*)b|a" (repeat 1000 "a") -1 | len }}',
    "alternatives of everything": '{{ regexReplaceAll "(.*)(.*)(.*)x" (repeat 3000 "y") "" | len }}',
  }))
    test(name, () => {
      assert.notEqual(render(template), "");
    });

  for (const [name, template] of Object.entries({
    "a text that is searched again and again": '{{ regexFindAll "(a*)b|a" (repeat 100000 "a") -1 | len }}',
    "a pattern of many instructions":
      '{{ range until 100000 }}{{ regexMatch "(a{1,500}){2}c" (repeat 5000 "a") }}{{ end }}',
    "a very long pattern": '{{ regexMatch (repeat 5000 "a") "a" }}',
    "a replacement that grows": '{{ regexReplaceAll "a" (repeat 10000 "a") (repeat 10000 "b") }}',
  }))
    test(`${name} is refused`, () => {
      assert.throws(
        () => render(template),
        (error) => error instanceof TemplateError && error.code === "TEMPLATE_LIMIT",
      );
    });
});
