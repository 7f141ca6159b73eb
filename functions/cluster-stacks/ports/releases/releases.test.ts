import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { timeOf } from "../../../../shared/function/index.ts";
import { configuredReleases } from "./adapters/configured.ts";
import { memoryReleases } from "./adapters/memory.ts";
import { MOST_BYTES } from "./adapters/opened.ts";
import { releasesSuite } from "./test-suite.ts";

releasesSuite("memory", async () => {
  const memory = memoryReleases();
  return {
    releases: memory,
    put: async (tag, files) => memory.put(tag, files),
    remove: async (tag) => memory.remove(tag),
  };
});

async function folderSource() {
  const folder = await mkdtemp(join(tmpdir(), "stack-releases-"));
  return {
    folder,
    releases: configuredReleases({ default: { folder } }),
    put: async (tag: string, files: Readonly<Record<string, string | Uint8Array>>) => {
      await rm(join(folder, tag), { recursive: true, force: true });
      await mkdir(join(folder, tag));
      for (const [name, content] of Object.entries(files)) await writeFile(join(folder, tag, name), content);
    },
    remove: (tag: string) => rm(join(folder, tag), { recursive: true }),
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}
releasesSuite("a folder", folderSource);

describe("a folder of releases", () => {
  test("that is away fails, and nothing is concluded of it", async (t) => {
    const { releases, stop } = await folderSource();
    await stop();
    t.onTestFinished(stop);
    for (const answer of [await releases.list("default"), await releases.open("default", "a-b-1-27-v1")]) {
      assert.equal(answer.state, "failed");
      assert.match(answer.state === "failed" ? answer.message : "", /source default.*cannot be read.*ENOENT/);
    }
  });

  test("lists what is complete, and no stray files", async (t) => {
    const { folder, releases, put, stop } = await folderSource();
    t.onTestFinished(stop);
    await put("a-b-1-27-v1", { "hashes.json": "{}" });
    await writeFile(join(folder, "README.md"), "x");
    await put(".git", { "metadata.yaml": "" });
    const listing = await releases.list("default");
    assert.deepEqual(listing.state === "listed" && listing.releases, []);
  });

  test("is not left by links", async (t) => {
    const { folder, releases, put, stop } = await folderSource();
    t.onTestFinished(stop);
    await put("a-b-1-27-v1", { "metadata.yaml": "x" });
    const secret = join(await mkdtemp(join(tmpdir(), "elsewhere-")), "cluster-addon-values.yaml");
    await writeFile(secret, "a secret");
    await symlink(secret, join(folder, "a-b-1-27-v1", "cluster-addon-values.yaml"));
    const opening = await releases.open("default", "a-b-1-27-v1");
    assert.match(opening.state === "failed" ? opening.message : opening.state, /leads out of the folder/);
  });

  test("refuses what is too large before it is read", async (t) => {
    const { folder, releases, put, stop } = await folderSource();
    t.onTestFinished(stop);
    await put("a-b-1-27-v1", { "metadata.yaml": "x", "a-b-1-27-cluster-class-v1.tgz": "" });
    await truncate(join(folder, "a-b-1-27-v1", "a-b-1-27-cluster-class-v1.tgz"), MOST_BYTES.asset + 1);
    const opening = await releases.open("default", "a-b-1-27-v1");
    assert.match(opening.state === "damaged" ? opening.message : opening.state, /bytes, 16777216 at most/);
  });
});

describe("a source", () => {
  test("that is not configured is named", async () => {
    const answer = await configuredReleases({}).list("other");
    assert.deepEqual(answer, {
      state: "failed",
      reason: "unknown source",
      message: "no source other is configured: add it to sources",
    });
  });

  test("is not asked before it may be", async () => {
    const clock = new ManualClock();
    const memory = memoryReleases({ clock });
    const notBefore = timeOf(clock.now() + 17 * 60_000);
    assert.deepEqual(await memory.list("default", { notBefore }), { state: "not due" });
    assert.deepEqual(await memory.open("default", "a-b-1-27-v1", { notBefore }), { state: "not due" });
    assert.deepEqual(memory.asked, []);
    await clock.advance(17 * 60_000);
    assert.equal((await memory.list("default", { notBefore })).state, "listed");
  });
});
