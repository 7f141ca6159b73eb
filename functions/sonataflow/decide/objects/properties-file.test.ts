import assert from "node:assert/strict";
import * as fc from "fast-check";
import { test } from "vitest";
import { propertiesFile } from "./properties-file.ts";

test("sorted, escaped, and without what is undefined", () => {
  assert.equal(
    propertiesFile({ "b.c": "x=y # z", a: "  two", "k k:=": "new\nline\\", none: undefined, "#c": "" }),
    "\\#c=\na=\\ \\ two\nb.c=x=y # z\nk\\ k\\:\\==new\\nline\\\\\n",
  );
});

/** As java.util.Properties reads one line. */
const asRead = (text: string): string =>
  text.replaceAll(
    /\\(.)/g,
    (_, letter: string) => ({ n: "\n", r: "\r", t: "\t", f: "\f" })[letter] ?? letter,
  );

test("one property a line, and what is read is what was written", () => {
  const key = fc.string({ minLength: 1 }).filter((text) => !text.includes("__proto__"));
  fc.assert(
    fc.property(fc.dictionary(key, fc.string()), (properties) => {
      const lines = propertiesFile(properties).split("\n").slice(0, -1);
      const read = lines.map((line) => /^((?:[^\\=]|\\.)*)=(.*)$/s.exec(line)?.slice(1).map(asRead));
      assert.deepEqual(Object.fromEntries(read.map((pair) => pair ?? [])), { ...properties });
    }),
  );
});
