import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Header, pack } from "tar-stream";
import { describe, it } from "vitest";
import {
  type ArchiveErrorCode,
  DEFAULT_ARCHIVE_LIMITS,
  filesOf,
  packFiles,
  safePath,
  unpack,
} from "./index.ts";

async function tar(
  entries: readonly (Partial<Header> & { readonly name: string; readonly text?: string })[],
): Promise<Uint8Array> {
  const archive = pack();
  for (const { text = "", ...header } of entries) archive.entry(header, text);
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

const texts = (files: ReadonlyMap<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries([...files].map(([path, content]) => [path, new TextDecoder().decode(content)]));

const refuses = (packed: Uint8Array, code: ArchiveErrorCode, limits = {}): Promise<void> =>
  assert.rejects(filesOf(packed, { ...DEFAULT_ARCHIVE_LIMITS, ...limits }), { code });

describe("the files of an archive", () => {
  it("are the same packed or not, and however their paths begin", async () => {
    const plain = await tar([
      { name: "./templates/", type: "directory" },
      { name: "./templates/a.yaml", text: "a" },
      { name: "/operator.yaml", text: "b" },
      { name: "params.yaml", text: "old" },
      { name: "params.yaml", text: "c" },
    ]);
    const wanted = { "templates/a.yaml": "a", "operator.yaml": "b", "params.yaml": "c" };
    for (const packed of [plain, gzipSync(plain), zstdCompressSync(plain)])
      assert.deepEqual(texts(await filesOf(packed)), wanted);
  });

  it("never lead out: such a path, a link and a device are refused", async () => {
    for (const name of ["../a", "a/../../b", "/../etc/passwd", "C:\\a", "a\\..\\b"])
      await refuses(await tar([{ name, text: "x" }]), "ARCHIVE_UNSAFE");
    for (const type of ["symlink", "link"] as const)
      await refuses(await tar([{ name: "a", type, linkname: "/etc/passwd" }]), "ARCHIVE_UNSAFE");
    await refuses(await tar([{ name: "a", type: "character-device" }]), "ARCHIVE_UNSAFE");
  });

  it("are bounded: each, together, in number and as what they unpack to", async () => {
    const packed = await tar([
      { name: "a", text: "x".repeat(100) },
      { name: "b", text: "y".repeat(100) },
    ]);
    for (const limits of [{ fileBytes: 99 }, { totalBytes: 150 }, { files: 1 }, { unpackedBytes: 1_000 }])
      await refuses(packed, "ARCHIVE_TOO_LARGE", limits);
    const bomb = gzipSync(await tar([{ name: "a", text: "\0".repeat(2 ** 23) }]));
    assert(bomb.byteLength < 20_000);
    await refuses(bomb, "ARCHIVE_TOO_LARGE");
  });

  it("are not taken of what is damaged, cut off or no archive", async () => {
    const plain = await tar([{ name: "a", text: "x".repeat(5_000) }]);
    for (const packed of [
      Buffer.from("no archive at all ".repeat(60)),
      plain.subarray(0, 3_000),
      gzipSync(plain).subarray(0, 40),
    ])
      await refuses(packed, "ARCHIVE_DAMAGED");
  });

  it("are packed to the same bytes, and come back as they were", async () => {
    const files = new Map([
      ["b.yaml", Buffer.from("b")],
      ["a/a.yaml", Buffer.from("ä")],
    ]);
    const packed = await packFiles(files);
    assert.deepEqual(packed, await packFiles(new Map([...files].reverse())));
    assert.deepEqual(texts(await filesOf(packed)), { "a/a.yaml": "ä", "b.yaml": "b" });
  });
});

describe("a visitor", () => {
  const none = { unpacked: () => undefined };

  it("sees every entry, and its own refusal is what is thrown", async () => {
    const seen: string[] = [];
    const packed = await tar([
      { name: "a", text: "1" },
      { name: "b", type: "symlink", linkname: "a" },
      { name: "c", text: "2" },
    ]);
    const pieces = async function* () {
      for (let at = 0; at < packed.length; at += 100) yield packed.subarray(at, at + 100);
    };
    await unpack(pieces(), "none", { ...none, entry: ({ name, type }) => void seen.push(`${name} ${type}`) });
    assert.deepEqual(seen, ["a file", "b symlink", "c file"]);
    const refusal = new Error("not this one");
    const entry = (): never => {
      throw refusal;
    };
    await assert.rejects(unpack(pieces(), "none", { ...none, entry }), refusal);
    await assert.rejects(unpack(pieces(), "none", { unpacked: entry, entry: () => undefined }), refusal);
  });
});

describe("a path", () => {
  it.each([
    ["a/b", "a/b"],
    [".//a/./b/", "a/b"],
    ["./", ""],
    ["..a/b..", "..a/b.."],
    ["a/..", undefined],
    ["..", undefined],
  ])("%s is %s", (name, path) => assert.equal(safePath(name), path));
});
