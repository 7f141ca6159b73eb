import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { diskFiles } from "./disk.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "reveille-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "catalog"));
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "catalog", "a.yaml"), "a");
  writeFileSync(join(folder, "elsewhere", "b.yaml"), "b");
  return folder;
}

it("takes a link to a file for the file", async () => {
  const folder = place();
  symlinkSync("../elsewhere/b.yaml", join(folder, "catalog", "b.yaml"));
  assert.deepEqual(await diskFiles.within(join(folder, "catalog")), [
    join(folder, "catalog", "a.yaml"),
    join(folder, "catalog", "b.yaml"),
  ]);
});
it("refuses links to folders and to nothing: what they hold would be missing", async () => {
  const folder = place();
  const link = join(folder, "catalog", "more");
  symlinkSync("../elsewhere", link);
  await assert.rejects(
    diskFiles.within(join(folder, "catalog")),
    /more is a link to a folder: put the folder/,
  );
  rmSync(link);
  symlinkSync("../nowhere", link);
  await assert.rejects(diskFiles.within(join(folder, "catalog")), { code: "CLI_FOLDER_UNREADABLE" });
});
