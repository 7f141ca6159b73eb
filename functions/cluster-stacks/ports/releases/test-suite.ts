import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { packFiles } from "../../../../shared/archive/index.ts";
import type { Listing, Opening, Releases } from "./contract.ts";

/** An adapter with a source `default`, and the hand that publishes there. */
export interface ReleasesUnderTest {
  readonly releases: Releases;
  put(tag: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  remove(tag: string): Promise<void>;
  stop?(): Promise<void>;
}

const text = (content: Uint8Array | undefined): string => new TextDecoder().decode(content);
const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
const listed = (listing: Listing) => {
  assert.equal(listing.state, "listed");
  return listing;
};
const opened = (opening: Opening) => {
  assert.equal(opening.state, "opened");
  return opening.release;
};
const FILES = { "metadata.yaml": "versions: {}\n", "hashes.json": "{}" } as const;
const CHART = "a-b-1-27-cluster-class-v1.tgz";

/** The contract of sources of releases, which every adapter keeps. */
export function releasesSuite(name: string, start: () => Promise<ReleasesUnderTest>): void {
  describe(`releases from ${name}`, () => {
    const begin = async (t: { onTestFinished(then: () => Promise<void>): void }) => {
      const it = await start();
      t.onTestFinished(async () => it.stop?.());
      return it;
    };

    test("are all listed, whatever their names, and none where there is none", async (t) => {
      const { releases, put } = await begin(t);
      assert.deepEqual(listed(await releases.list("default")).releases, []);
      for (const tag of ["a-b-1-27-v1", "a-b-1-27-v2", "no-release"]) await put(tag, FILES);
      const { releases: all } = listed(await releases.list("default"));
      assert.deepEqual(all.map(({ tag }) => tag).sort(), ["a-b-1-27-v1", "a-b-1-27-v2", "no-release"]);
    });

    test("are unchanged until one comes or goes", async (t) => {
      const { releases, put, remove } = await begin(t);
      await put("a-b-1-27-v1", FILES);
      const { version: known } = listed(await releases.list("default"));
      assert.deepEqual(await releases.list("default", { known }), { state: "unchanged" });
      await put("a-b-1-27-v2", FILES);
      const next = listed(await releases.list("default", { known, news: "a push" }));
      assert.equal(next.releases.length, 2);
      await remove("a-b-1-27-v1");
      const last = listed(await releases.list("default", { known: next.version, news: "another" }));
      assert.deepEqual(
        last.releases.map(({ tag }) => tag),
        ["a-b-1-27-v2"],
      );
    });

    test("have the files that are read, and no others", async (t) => {
      const { releases, put } = await begin(t);
      await put("a-b-1-27-v1", {
        ...FILES,
        "node-images.yaml": "x",
        "cluster-addon-values.yaml": "values: |",
      });
      const { files, archives } = opened(await releases.open("default", "a-b-1-27-v1"));
      assert.deepEqual([...files.keys()].sort(), ["cluster-addon-values.yaml", "metadata.yaml"]);
      assert.equal(text(files.get("metadata.yaml")), FILES["metadata.yaml"]);
      assert.equal(archives.size, 0);
    });

    test("have a digest of what is read", async (t) => {
      const { releases, put } = await begin(t);
      await put("a-b-1-27-v1", FILES);
      const digest = async () => opened(await releases.open("default", "a-b-1-27-v1", { news: "x" })).digest;
      const first = await digest();
      assert.equal(await digest(), first);
      await put("a-b-1-27-v1", { ...FILES, "metadata.yaml": "versions: { other: true }\n" });
      assert.notEqual(await digest(), first);
    });

    test("have their charts unpacked", async (t) => {
      const { releases, put } = await begin(t);
      const chart = await packFiles(new Map([["top/Chart.yaml", bytes("name: top\n")]]));
      await put("a-b-1-27-v1", { ...FILES, [CHART]: chart });
      const archive = opened(await releases.open("default", "a-b-1-27-v1")).archives.get(CHART);
      assert.ok(archive !== undefined && "files" in archive);
      assert.equal(text(archive.files.get("top/Chart.yaml")), "name: top\n");
    });

    test("say which archive cannot be unpacked, and why", async (t) => {
      const { releases, put } = await begin(t);
      const chart = await packFiles(new Map([["top/Chart.yaml", bytes("name: top\n".repeat(99))]]));
      const out = await packFiles(new Map([["../Chart.yaml", bytes("name: top\n")]]));
      const addon = "a-b-1-27-cluster-addon-v1.tgz";
      await put("a-b-1-27-v1", { ...FILES, [CHART]: chart.subarray(0, chart.length - 30), [addon]: out });
      const { archives } = opened(await releases.open("default", "a-b-1-27-v1"));
      const fault = (file: string): string => {
        const archive = archives.get(file);
        return archive !== undefined && "fault" in archive ? archive.fault : "";
      };
      assert.match(fault(CHART), /cannot be unpacked/);
      assert.match(fault(addon), /leads out of it/);
    });

    test("that are not there are absent, in a sentence", async (t) => {
      const { releases, put } = await begin(t);
      await put("a-b-1-27-v1", FILES);
      for (const tag of ["a-b-1-27-v9", "../default", "a/../a-b-1-27-v1", ".."]) {
        const opening = await releases.open("default", tag);
        assert.equal(opening.state, "absent");
        assert.match(opening.state === "absent" ? opening.message : "", /default has no release/);
      }
    });
  });
}
