import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { startVitest } from "vitest/node";
import { CountsReporter } from "./counts-reporter.ts";

const root = join(import.meta.dirname, "../..");

test("a run ends with its counts, files that cannot be loaded and what nobody caught included", async (t) => {
  const folder = mkdtempSync(join(root, "node_modules/.counts-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { exitCode } = process;
  writeFileSync(
    join(folder, "some.js"),
    `import { describe, test } from "vitest";
     test("passes", (t) => t.annotate("as told"));
     test("fails", () => { throw new Error("no"); });
     test.skip("is skipped", () => undefined);
     test("skips itself", (t) => t.skip("no server"));
     test.todo("is to be written");
     describe("a group", () => {
       test("passes, too", () => undefined);
       test("leaves an error behind", async () => {
         void Promise.reject(new Error("uncaught"));
         await new Promise((resolve) => setImmediate(resolve));
       });
     });`,
  );
  writeFileSync(join(folder, "broken.js"), 'throw new Error("not loaded");');
  const lines: string[] = [];
  const vitest = await startVitest("test", [], {
    root: folder,
    config: false,
    watch: false,
    include: ["*.js"],
    exclude: [],
    reporters: [new CountsReporter((text) => void lines.push(text), "a sample")],
  });
  await vitest.close();
  // It is the inner run that failed.
  process.exitCode = exitCode;
  assert.deepEqual(lines, ["ℹ passes: as told\n", "ℹ a sample\n", "3 passed, 3 failed, 3 skipped\n"]);
});
