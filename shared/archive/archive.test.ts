import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Header, pack } from "tar-stream";
import { describe, it } from "vitest";
import {
  type ArchiveErrorCode,
  DEFAULT_ARCHIVE_LIMITS,
  filesOf,
  isTar,
  packFiles,
  plainFile,
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

/** The same tar without marks, as programs before 1988 write it: a folder is known by its name alone. */
function unmarked(packed: Uint8Array): Uint8Array {
  const old = Buffer.from(packed);
  for (let at = 0; at < old.length; at += 512) {
    const header = old.subarray(at, at + 512);
    if (header.toString("latin1", 257, 262) !== "ustar") continue;
    header.fill(0, 156, 157).fill(0, 257).fill(" ", 148, 156);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  }
  return old;
}

/** The content in several frames of zstd, after one that is passed over, as programs with several threads write it. */
const inFrames = (content: Uint8Array, bytes: number): Uint8Array =>
  Buffer.concat([
    Buffer.from("502a4d1802000000abcd", "hex"),
    ...Array.from({ length: Math.ceil(content.byteLength / bytes) }, (_, at) =>
      zstdCompressSync(content.subarray(at * bytes, (at + 1) * bytes)),
    ),
  ]);

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

  it("are those of all frames of zstd, and of a tar without its mark", async () => {
    const plain = await tar([
      { name: "templates/", type: "directory" },
      { name: "templates/a.yaml", text: "a".repeat(3_000) },
      { name: "b.yaml", text: "b" },
    ]);
    const wanted = { "templates/a.yaml": "a".repeat(3_000), "b.yaml": "b" };
    for (const packed of [inFrames(plain, 1_000), unmarked(plain), inFrames(unmarked(plain), 700)])
      assert.deepEqual(texts(await filesOf(packed)), wanted);
    const frames = inFrames(plain, 1_000);
    const inPieces = (bytes: number) =>
      (async function* () {
        for (let at = 0; at < frames.length; at += bytes) yield frames.subarray(at, at + bytes);
      })();
    for (const bytes of [1, 50, 10_000]) {
      const seen: string[] = [];
      const entry = ({ name }: { readonly name: string }): void => void seen.push(name);
      await unpack(inPieces(bytes), "zstd", { unpacked: () => undefined, entry });
      assert.deepEqual(seen, ["templates/", "templates/a.yaml", "b.yaml"]);
    }
  });

  it("never lead out: such a path, a link and a device are refused", async () => {
    for (const name of ["../a", "a/../../b", "/../etc/passwd", "C:\\a", "a\\..\\b"])
      await refuses(await tar([{ name, text: "x" }]), "ARCHIVE_UNSAFE");
    for (const type of ["symlink", "link"] as const)
      await refuses(await tar([{ name: "a", type, linkname: "/etc/passwd" }]), "ARCHIVE_UNSAFE");
    await refuses(await tar([{ name: "a", type: "character-device" }]), "ARCHIVE_UNSAFE");
  });

  it("have no holes: the content of such a file begins with a map of them", async () => {
    const pax = { "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "9" };
    await refuses(await tar([{ name: "a", text: "1\n0\n9\n", pax }]), "ARCHIVE_UNSAFE");
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
      zstdCompressSync(plain).subarray(0, 40),
      Buffer.concat([zstdCompressSync(plain), Buffer.from("no frame")]),
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

describe("one file", () => {
  it("is unpacked whole, however many frames or members it has", async () => {
    const content = Buffer.from("text\n".repeat(1_000));
    const members = Buffer.concat([gzipSync(content.subarray(0, 2_000)), gzipSync(content.subarray(2_000))]);
    for (const packed of [content, inFrames(content, 999), members])
      assert.deepEqual(Buffer.from(await plainFile(packed, 5_000)), content);
    for (const packed of [inFrames(content, 999), members])
      await assert.rejects(plainFile(packed, 4_999), { code: "ARCHIVE_TOO_LARGE" });
  });

  it("is a tar by the sum in its header", async () => {
    const plain = await tar([{ name: "a", text: "x" }]);
    const broken = Buffer.from(plain).fill("b", 0, 1);
    assert.deepEqual(
      [plain, unmarked(plain), broken, Buffer.alloc(1_024), Buffer.from("a: b\n".repeat(200))].map(isTar),
      [true, true, false, false, false],
    );
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
