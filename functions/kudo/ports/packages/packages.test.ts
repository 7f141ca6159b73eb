import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { packFiles } from "../../../../shared/archive/index.ts";
import { memoryPackages, storedPackages } from "./adapters/index.ts";
import type { PackageSource, Packages } from "./index.ts";

const FILES: Readonly<Record<string, string>> = {
  "operator.yaml": "name: parent",
  "params.yaml": "parameters: []",
  "templates/a/b.yaml": "kind: A",
  "child/operator.yaml": "name: child",
  "child/params.yaml": "",
};
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
async function onDisk(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "packages-"));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
const packed = (files: Readonly<Record<string, string>>): Promise<Uint8Array> =>
  packFiles(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
const text = ({ files }: PackageSource, path: string): string | undefined =>
  files.get(path) && Buffer.from(files.get(path) ?? "").toString();
const answering =
  (bytes: Uint8Array, status = 200): typeof globalThis.fetch =>
  async () =>
    new Response(Buffer.from(bytes), { status });

describe.each<[string, () => Promise<readonly [Packages, string]>]>([
  ["in memory", async () => [memoryPackages(prefixed("/p")), "/p"]],
  ["in a folder", async () => [storedPackages(), await onDisk(FILES)]],
  [
    "in a .tgz",
    async () => {
      const folder = await onDisk({});
      await writeFile(join(folder, "p.tgz"), await packed(FILES));
      return [storedPackages(), join(folder, "p.tgz")];
    },
  ],
  [
    "behind a URL",
    async () => [storedPackages({ fetch: answering(await packed(FILES)) }), "https://example.org/p.tgz"],
  ],
])("a package %s", (_, start) => {
  it("is its files, and knows the package beside them", async () => {
    const [packages, place] = await start();
    const source = await packages.open(place);
    assert.equal(text(source, "operator.yaml"), "name: parent");
    assert.equal(text(source, "templates/a/b.yaml"), "kind: A");
    const child = await source.child("./child");
    assert.equal(text(child, "operator.yaml"), "name: child");
    assert.equal(text(child, "templates/a/b.yaml"), undefined);
  });

  it("that is not there is told with its place", async () => {
    const [packages, place] = await start();
    const source = await packages.open(place);
    await assert.rejects(source.child("./nobody"), { code: "KUDO_PACKAGE_UNREADABLE", message: /nobody/ });
  });
});

function prefixed(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(FILES).map(([path, content]) => [`${folder}/${path}`, content]));
}

const refuses = (packages: Packages, place: string, message: RegExp): Promise<void> =>
  assert.rejects(packages.open(place), { code: "KUDO_PACKAGE_UNREADABLE", message });

describe("a place", () => {
  it("that is none is refused in words", async () => {
    const folder = await onDisk({ "a.tgz": "no archive" });
    await refuses(storedPackages(), join(folder, "nobody"), /a folder, a \.tgz or an https URL/);
    await refuses(storedPackages(), "zookeeper", /repositories of packages are not looked up/);
    await refuses(storedPackages(), join(folder, "a.tgz"), /cannot be unpacked/);
  });

  it("is bounded", async () => {
    const limits = { totalBytes: 60 };
    await refuses(storedPackages({ limits }), await onDisk({ "operator.yaml": "x".repeat(70) }), /60 bytes/);
    const fetch = answering(Buffer.alloc(100));
    await refuses(storedPackages({ limits, fetch }), "https://example.org/p.tgz", /larger than 60 bytes/);
  });

  it("may hold links within itself, and none that lead out", async () => {
    const folder = await onDisk({ "real/x": "name: a", "params.yaml": "" });
    await symlink("real/x", join(folder, "operator.yaml"));
    assert.equal(text(await storedPackages().open(folder), "operator.yaml"), "name: a");
    await mkdir(join(folder, "templates"));
    await symlink("/etc/hostname", join(folder, "templates/a.yaml"));
    await refuses(storedPackages(), folder, /leads out of the folder/);
  });
});

describe("a URL", () => {
  it("is fetched over https alone", async () => {
    const fetch = answering(await packed(FILES));
    await refuses(storedPackages({ fetch }), "http://example.org/p.tgz", /over https only/);
    await refuses(storedPackages({ fetch }), "ftp://example.org/p.tgz", /over https only/);
    assert.equal((await storedPackages({ fetch }).open("http://127.0.0.1:9/p.tgz")).files.size, 5);
  });

  it("may lead to another server over https, and to no other", async () => {
    const content = await packed(FILES);
    const leading =
      (to: string): typeof globalThis.fetch =>
      async (input) =>
        String(input).startsWith("https://example.org")
          ? new Response(null, { status: 302, headers: { location: to } })
          : new Response(Buffer.from(content));
    const from = "https://example.org/p.tgz";
    assert.equal(
      (await storedPackages({ fetch: leading("https://cdn.example.com/x") }).open(from)).files.size,
      5,
    );
    await refuses(storedPackages({ fetch: leading("http://cdn.example.com/x") }), from, /to another server/);
    await refuses(storedPackages({ fetch: leading(from) }), from, /leads on and on/);
  });

  it("is given up in time, and keeps its query to itself", async () => {
    const clock = new ManualClock();
    const fetch: typeof globalThis.fetch = (_, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
        queueMicrotask(() => clock.advance(60_000));
      });
    await refuses(
      storedPackages({ fetch, clock }),
      "https://example.org/p.tgz?token=secret",
      /^(?!.*secret).*60 s/,
    );
  });
});

describe("saving", () => {
  it("makes folders, and overwrites only where it is told to", async () => {
    const folder = join(await onDisk({}), "new");
    const packages = storedPackages();
    const files = new Map([["a/b.yaml", "1"]]);
    assert.deepEqual(await packages.save(folder, files), [join(folder, "a/b.yaml")]);
    await assert.rejects(packages.save(folder, files), /is there already; --overwrite replaces it/);
    await packages.save(folder, new Map([["a/b.yaml", "2"]]), { overwrite: true });
    assert.equal(await packages.text(join(folder, "a/b.yaml")), "2");
  });
});
