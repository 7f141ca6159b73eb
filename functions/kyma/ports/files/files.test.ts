import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { diskFiles } from "./adapters/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kyma-files-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("gives a text without the mark that Windows' programs put before it", async () => {
  const path = join(folder, "marked.json");
  await writeFile(path, '\uFEFF{"a": "\u00e4"}');
  assert.equal(await diskFiles.text(path), '{"a": "\u00e4"}');
});

it("refuses letters of another encoding", async () => {
  for (const encoding of ["latin1", "utf16le"] as const) {
    const path = join(folder, encoding);
    await writeFile(path, Buffer.from("\uFEFF\u00e4", encoding));
    await expect(diskFiles.text(path)).rejects.toThrow(`${path} cannot be read: it is no UTF-8 text.`);
  }
});
