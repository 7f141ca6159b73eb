import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "vitest";
import { importFresh } from "./module-graph.ts";

/** Puts files into a folder of the test's own. */
function folderOf(t: TestContext): (name: string, text: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "module-graph-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  return (name, text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
}

it("modules of a group share what they import, and others do not", async (t) => {
  const put = folderOf(t);
  const errors = put("errors.mjs", "export class Fault extends Error {}\n");
  const importing = "import { Fault } from './errors.mjs';\n";
  const decides = put("decides.mjs", `${importing}export const knows = (error) => error instanceof Fault;\n`);
  const adapter = put("adapter.mjs", `${importing}export const fails = () => new Fault();\n`);
  const isKnown = async (groups: readonly (readonly string[])[]): Promise<boolean> => {
    const loaded = await importFresh(groups);
    const call = (file: string, name: string, ...given: readonly unknown[]): unknown => {
      const exported = loaded.get(file)?.exports[name];
      assert.ok(typeof exported === "function");
      return exported(...given);
    };
    return call(decides, "knows", call(adapter, "fails")) === true;
  };
  assert.equal(await isKnown([[decides, adapter]]), true);
  assert.equal(await isKnown([[decides], [adapter]]), false);
  const loaded = await importFresh([[decides, adapter]]);
  assert.deepEqual(loaded.get(decides)?.files, [decides, errors]);
  assert.ok(loaded.get(adapter)?.files.includes(adapter));
});

it("modules are imported anew once a file of theirs is another one, and only then", async (t) => {
  const put = folderOf(t);
  put("number.mjs", "export const number = 1;\n");
  const entry = put(
    "entry.mjs",
    "import { number } from './number.mjs';\nexport const numbers = [number];\n",
  );
  const numbers = async (): Promise<unknown> => (await importFresh([[entry]])).get(entry)?.exports.numbers;
  const first = await numbers();
  assert.deepEqual(first, [1]);
  assert.equal(await numbers(), first);
  put("number.mjs", "export const number = 2;\n");
  assert.deepEqual(await numbers(), [2]);
  // One that changes itself while it is imported is not yet what it says.
  const own = "import { writeFileSync } from 'node:fs';\nimport { fileURLToPath } from 'node:url';\n";
  const saved = `${own}writeFileSync(fileURLToPath(import.meta.url), "export const numbers = [4];");\nexport const numbers = [3];\n`;
  put("entry.mjs", saved);
  assert.deepEqual(await numbers(), [3]);
  assert.deepEqual(await numbers(), [4]);
});
