import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { configuredComponents } from "../ports/components/adapters/index.ts";
import { registrySettings } from "../ports/components/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kyma-pack-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}
const COMPONENT = "acme.com/mods/alpha-store";
const pack = (files: readonly string[], into: string, version = "1.0.0", ...more: readonly string[]) =>
  reveilleHere([
    ...["kyma", "pack", ...files, "--component", COMPONENT, "--version", version],
    ...["--into", join(folder, into), ...more],
  ]);
const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

describe("pack", () => {
  it("makes a component that is read as it was packed, and one version after the other", async () => {
    const components = configuredComponents(registrySettings.parse({ folder: join(folder, "layout") }));
    const names = [
      await file("one.yaml", map("one")),
      await file("two.yaml", `${map("two")}---\n${map("three")}`),
    ];
    const { code, stdout, stderr } = await pack(names, "layout", "1.0.0", "--image", "prod.test/a:1");
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^acme\.com\/mods\/alpha-store:1\.0\.0 lies in .*layout: 3 objects, sha256:[0-9a-f]{64}$/m,
    );
    await pack([await file("next.yaml", map("next"))], "layout", "1.1.0");
    await pack([await file("next.yaml", map("anew"))], "layout", "1.1.0");
    for (const [version, found, images] of [
      ["1.0.0", ["one", "two", "three"], ["prod.test/a:1"]],
      ["1.1.0", ["anew"], []],
    ] as const) {
      const described = await components.describe(COMPONENT, version);
      assert.ok(described.state === "described", version);
      assert.deepEqual(described.component.localizedImages, images);
      const layer = await components.layer(described.component.source);
      assert.ok(layer.state === "read");
      assert.deepEqual(
        layer.documents.map((one) => (one as { metadata: { name: string } }).metadata.name),
        found,
      );
    }
    assert.deepEqual((await readdir(join(folder, "layout"))).sort(), ["blobs", "index.json", "oci-layout"]);
  });

  it("keeps each text as it is, and counts an object of two files once", async () => {
    const components = configuredComponents(registrySettings.parse({ folder: join(folder, "layout") }));
    const names = [
      await file("kept.yaml", `${map("kept")}data:\n  text: |+\n    line\n\n\n`),
      await file(
        "open.json",
        JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name: "open" } }),
      ),
      await file("again.yaml", map("again")),
      await file("again-again.yaml", map("again")),
    ];
    const { stdout, stderr } = await pack(names, "layout", "1.0.0");
    assert.match(stdout, /: 3 objects, /, stderr);
    const described = await components.describe(COMPONENT, "1.0.0");
    assert.ok(described.state === "described");
    const layer = await components.layer(described.component.source);
    assert.ok(layer.state === "read");
    assert.deepEqual(layer.documents[0], {
      ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" } },
      data: { text: "line\n\n\n" },
    });
    assert.equal(layer.documents.length, 4);
  });

  it("names what cannot be packed, and writes nothing", async () => {
    const good = await file("good.yaml", map("good"));
    for (const [files, words, says] of [
      [[await file("empty.yaml", "# nothing\n")], [], /empty\.yaml holds no object/],
      [[await file("broken.yaml", "a: [")], [], /broken\.yaml, document 1: /],
      [
        [await file("doubled.yaml", `${map("good")}data: {a: b, a: c}\n`)],
        [],
        /doubled\.yaml, document 1: data\.a stands there twice: leave one of them out/,
      ],
      [
        [await file("deep.yaml", `${map("good")}data: ${"[".repeat(10_000)}`)],
        [],
        /deep\.yaml, document 1: it has more than 300 objects and lists/,
      ],
      [
        [await file("none.yaml", "kind: ConfigMap\n")],
        [],
        /none\.yaml: its object 1 \(ConfigMap\) is none: /,
      ],
      [
        [await file("latin.yaml", Buffer.from(`${map("good")}data: {a: \u00e4}\n`, "latin1"))],
        [],
        /latin\.yaml cannot be read: it is no UTF-8 text/,
      ],
      [[join(folder, "absent.yaml")], [], /absent\.yaml cannot be read/],
      [[good], ["--version", `1.0.0-${"a".repeat(27)}`], /is no version: .* 32 characters at most/],
      [
        [good, await file("other.yaml", `${map("good")}data: {a: b}\n`)],
        [],
        /other\.yaml: ConfigMap good stands before it, and otherwise: leave one of them out/,
      ],
      [[good], ["--version", "1.0"], /--version 1\.0 is no version/],
      [[good], ["--image", "::bad"], /--image ::bad is no image with a tag/],
      [[good], ["--image", "registry.test/store"], /--image registry\.test\/store is no image with a tag/],
      [
        [good],
        ["--image", "reg.test/a/proxy:1.0", "--image", "reg.test/b/proxy:1.0"],
        /reg\.test\/a\/proxy:1\.0 and --image reg\.test\/b\/proxy:1\.0 have one name and tag/,
      ],
      [[good], ["--component", "alpha"], /--component alpha names no component: write acme\.com/],
    ] as const) {
      const { code, stdout, stderr } = await pack(files, "nothing", "1.0.0", ...words);
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
      assert.match(stderr, says);
    }
    assert.ok(!(await readdir(folder)).includes("nothing"));
  });

  it("leaves a folder alone whose index is none", async () => {
    const good = await file("good.yaml", map("good"));
    await pack([good], "other");
    await writeFile(join(folder, "other", "index.json"), "{}");
    const { code, stderr } = await pack([good], "other");
    assert.equal(code, 1);
    assert.match(stderr, /other\/index\.json is no index of an OCI layout: name another folder with --into/);
  });
});
