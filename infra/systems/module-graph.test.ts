import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "vitest";
import { importFresh } from "./module-graph.ts";

it("modules of a group share what they import, and others do not", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "module-graph-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const put = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
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
