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
it("reads a volume of Kubernetes, whose files are links into hidden folders, and passes over locks of editors", async () => {
  const folder = place();
  const volume = join(folder, "volume");
  mkdirSync(join(volume, "..2026_11_29"), { recursive: true });
  writeFileSync(join(volume, "..2026_11_29", "kyma.yaml"), "k");
  symlinkSync("..2026_11_29", join(volume, "..data"));
  symlinkSync("..data/kyma.yaml", join(volume, "kyma.yaml"));
  symlinkSync("me@host.1", join(volume, ".#kyma.yaml"));
  assert.deepEqual(await diskFiles.within(volume), [join(volume, "kyma.yaml")]);
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
