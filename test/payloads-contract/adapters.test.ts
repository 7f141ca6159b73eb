import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, describe, test } from "vitest";
import { memoryPayloads } from "../../shared/ports/payloads/adapters/memory.ts";
import { machine } from "../../shared/ports/payloads/adapters/oci-layout.ts";
import { entryName, storedPayloads } from "../../shared/ports/payloads/adapters/stored.ts";
import type { PayloadsErrorCode } from "../../shared/ports/payloads/errors.ts";
import { failsWith, IMAGE, payloadsContract, type Stage } from "./suite.ts";

type Files = Readonly<Record<string, string>>;

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "payloads-"));
  folders.push(folder);
  return folder;
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Files as a tar; a name that ends with `/` is a folder, `name -> target` a link. */
async function tar(files: Files): Promise<Buffer> {
  const archive = pack();
  for (const [name, text] of Object.entries(files)) {
    const [link = "", target] = name.split(" -> ");
    if (target !== undefined) archive.entry({ name: link, type: "symlink", linkname: target });
    else if (name.endsWith("/")) archive.entry({ name, type: "directory" });
    else archive.entry({ name }, text);
  }
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Writes an image of some layers into an OCI layout; gives back the digest of its manifest. */
async function layout(
  folder: string,
  layers: readonly Uint8Array[],
  {
    name = IMAGE,
    platform,
    damage,
  }: { readonly name?: string; readonly platform?: string; readonly damage?: boolean } = {},
): Promise<string> {
  const put = async (content: Uint8Array) => {
    const hex = createHash("sha256").update(content).digest("hex");
    await write(join(folder, "blobs/sha256", hex), content);
    return { digest: `sha256:${hex}`, size: content.byteLength };
  };
  const described = await Promise.all(layers.map(put));
  const [first] = described;
  if (damage && first)
    await write(join(folder, "blobs", first.digest.replace(":", "/")), Buffer.alloc(first.size));
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = {
    mediaType,
    ...(await put(Buffer.from(JSON.stringify({ schemaVersion: 2, layers: described })))),
  };
  const annotations = { "org.opencontainers.image.ref.name": name };
  const top =
    platform === undefined
      ? { ...manifest, annotations }
      : {
          mediaType: "application/vnd.oci.image.index.v1+json",
          ...(await put(
            Buffer.from(
              JSON.stringify({
                manifests: [{ ...manifest, platform: { os: "linux", architecture: platform } }],
              }),
            ),
          )),
          annotations,
        };
  await write(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  await write(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [top] }));
  return manifest.digest;
}

const stored =
  (put: (folder: string, image: string, files: Files) => Promise<unknown>) => async (): Promise<Stage> => {
    const folder = await temporary();
    return {
      payloads: (options) => storedPayloads({ folder, ...options }),
      put: async (image, files) => void (await put(folder, image, files)),
    };
  };

async function putDirectory(folder: string, image: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) await write(join(folder, entryName(image), path), text);
}

payloadsContract("memory", async () => {
  let options = {};
  const images: Record<string, Files> = {};
  const port = () => memoryPayloads(images, options);
  let current = port();
  return {
    payloads: (asked = {}) => {
      options = asked;
      current = port();
      return current;
    },
    put: async (image, files) => {
      images[image] = files;
      current.put(image, files);
    },
  };
});
payloadsContract("directory", stored(putDirectory));
payloadsContract(
  "tar",
  stored(async (folder, image, files) => write(join(folder, `${entryName(image)}.tar`), await tar(files))),
);
payloadsContract(
  "tar.gz, as tar writes it with ./ in front",
  stored(async (folder, image, files) => {
    const dotted = Object.fromEntries(Object.entries(files).map(([path, text]) => [`./${path}`, text]));
    await write(join(folder, `${entryName(image)}.tar.gz`), gzipSync(await tar(dotted)));
  }),
);
payloadsContract(
  "tar.zst",
  stored(async (folder, image, files) =>
    write(join(folder, `${entryName(image)}.tar.zst`), zstdCompressSync(await tar(files))),
  ),
);
payloadsContract(
  "OCI layout of one image",
  stored(async (folder, image, files) =>
    layout(join(folder, entryName(image)), [gzipSync(await tar(files))]),
  ),
);
payloadsContract(
  "OCI layout as the folder, for several architectures",
  stored(async (folder, image, files) =>
    layout(folder, [await tar(files)], { name: image.replace(/.*:/, ""), platform: machine }),
  ),
);

const COMPLETE: Files = { "manifests/": "", "release-manifests/release-metadata": "{}" };

async function refused(code: PayloadsErrorCode, folder: string, limits = {}, image = IMAGE): Promise<void> {
  const load = async () => (await storedPayloads({ folder, limits }).load(image)).files();
  await assert.rejects(load(), failsWith(code));
}

describe("a directory", () => {
  test("without one of the two folders is no payload; empty they may be", async () => {
    const folder = await temporary();
    await putDirectory(folder, IMAGE, { "release-manifests/a.yaml": "a: 1" });
    await refused("PAYLOAD_INCOMPLETE", folder);
    await mkdir(join(folder, entryName(IMAGE), "manifests"));
    const files = await (await storedPayloads({ folder }).load(IMAGE)).files();
    assert.deepEqual(
      files.map(({ path }) => path),
      ["release-manifests/a.yaml"],
    );
  });

  test("may hold links within itself, as volumes do, and none that lead out", async () => {
    const folder = await temporary();
    const root = join(folder, entryName(IMAGE));
    await putDirectory(folder, IMAGE, { "..data/a.yaml": "a: 1", "release-manifests/b.yaml": "b: 1" });
    await mkdir(join(root, "manifests"));
    await symlink("../..data/a.yaml", join(root, "manifests/a.yaml"));
    const files = await (await storedPayloads({ folder }).load(IMAGE)).files();
    assert.deepEqual(files.map(({ path }) => path).sort(), ["manifests/a.yaml", "release-manifests/b.yaml"]);
    await symlink("/etc/passwd", join(root, "manifests/c.yaml"));
    await refused("PAYLOAD_UNREADABLE", folder);
  });

  test("is never looked for outside of the folder", async () => {
    const folder = await temporary();
    for (const image of ["..", ".", "", "../x", "/etc", "a\0b"])
      await refused("PAYLOAD_NOT_FOUND", folder, {}, image);
  });
});

describe("limits", () => {
  const own: Files = {
    "release-manifests/release-metadata": "{}",
    "release-manifests/a.yaml": "x".repeat(100),
    "release-manifests/b.yaml": "y".repeat(100),
  };
  for (const limits of [{ fileBytes: 99 }, { totalBytes: 150 }, { files: 2 }])
    test(`stop a directory and an archive: ${JSON.stringify(limits)}`, async () => {
      const folder = await temporary();
      await putDirectory(folder, "reg.example/a", { ...own, "manifests/x": "" });
      await write(join(folder, `${entryName("reg.example/b")}.tar`), await tar({ "manifests/": "", ...own }));
      await refused("PAYLOAD_TOO_LARGE", folder, limits, "reg.example/a");
      await refused("PAYLOAD_TOO_LARGE", folder, limits, "reg.example/b");
    });

  test("stop what unpacks to more than it should, even beside the manifests", async () => {
    const folder = await temporary();
    const bomb = gzipSync(await tar({ ...COMPLETE, "usr/bin/huge": "\0".repeat(2 ** 22) }));
    assert(bomb.byteLength < 20_000);
    await write(join(folder, `${entryName(IMAGE)}.tgz`), bomb);
    await refused("PAYLOAD_TOO_LARGE", folder, { unpackedBytes: 2 ** 20 });
  });
});

describe("an archive", () => {
  test("that is damaged or holds links in place of manifests is refused", async () => {
    const folder = await temporary();
    const path = join(folder, `${entryName(IMAGE)}.tar`);
    const whole = gzipSync(await tar({ ...COMPLETE, "release-manifests/a.yaml": "a: 1" }));
    for (const content of [
      whole.subarray(0, 60),
      Buffer.from("no archive at all ".repeat(60)),
      Buffer.concat([whole.subarray(0, 40), Buffer.alloc(40), whole.subarray(80)]),
    ]) {
      await write(path, content);
      await refused("PAYLOAD_UNREADABLE", folder);
    }
    await write(path, await tar({ ...COMPLETE, "release-manifests/a.yaml -> /etc/passwd": "" }));
    await refused("PAYLOAD_UNREADABLE", folder);
  });

  test("that is cut off before its end is refused", async () => {
    const folder = await temporary();
    const whole = await tar({ ...COMPLETE, "release-manifests/a.yaml": "a".repeat(5000) });
    await write(join(folder, `${entryName(IMAGE)}.tar`), whole.subarray(0, 3000));
    await refused("PAYLOAD_UNREADABLE", folder);
  });
});

describe("an image in an OCI layout", () => {
  test("is found by its digest, inside of an index too", async () => {
    for (const platform of [undefined, "riscv64"]) {
      const folder = await temporary();
      const digest = await layout(
        folder,
        [await tar({ ...COMPLETE, "manifests/a.yaml": "a: 1" })],
        platform === undefined ? {} : { platform },
      );
      const bundle = await storedPayloads({ folder }).load(`other.example/mirror@${digest}`);
      assert.match(bundle.fingerprint, new RegExp(`${digest}$`));
      assert.equal((await bundle.files()).length, 2);
      await refused("PAYLOAD_NOT_FOUND", folder, {}, `reg.example/rel@sha256:${"0".repeat(64)}`);
    }
  });

  test("of another architecture is not taken by its name", async () => {
    const folder = await temporary();
    await layout(folder, [await tar(COMPLETE)], { platform: "riscv64" });
    await refused("PAYLOAD_NOT_FOUND", folder);
    const bundle = await storedPayloads({ folder, architecture: "riscv64" }).load(IMAGE);
    assert.equal((await bundle.files()).length, 1);
  });

  test("is the sum of its layers: later files win, whiteouts take away", async () => {
    const folder = await temporary();
    await layout(folder, [
      await tar({
        "manifests/old.yaml": "old",
        "release-manifests/a.yaml": "1",
        "release-manifests/b.yaml": "1",
      }),
      await tar({
        "release-manifests/.wh.a.yaml": "",
        "release-manifests/b.yaml": "2",
        "manifests/.wh..wh..opq": "",
      }),
      await tar({ "manifests/new.yaml": "new" }),
    ]);
    const files = await (await storedPayloads({ folder }).load(IMAGE)).files();
    assert.deepEqual(
      Object.fromEntries(files.map(({ path, content }) => [path, new TextDecoder().decode(content)])),
      { "release-manifests/b.yaml": "2", "manifests/new.yaml": "new" },
    );
    await layout(folder, [await tar(COMPLETE), await tar({ ".wh.manifests": "" })]);
    await refused("PAYLOAD_INCOMPLETE", folder);
  });

  test("with a blob that is not what its digest says is refused", async () => {
    const folder = await temporary();
    await layout(folder, [await tar(COMPLETE)], { damage: true });
    await refused("PAYLOAD_UNREADABLE", folder);
  });
});
