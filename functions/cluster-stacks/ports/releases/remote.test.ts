import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { playedRegistry } from "../../../../infra/testing/played-registry.ts";
import { timeOf } from "../../../../shared/function/index.ts";
import { MANIFEST_TYPE, RegistryClient, repositoryOf, TITLE } from "../../../../shared/oci/index.ts";
import { configuredReleases } from "./adapters/configured.ts";
import { memoryReleases } from "./adapters/index.ts";
import { ARTIFACT_TYPE } from "./adapters/oci.ts";
import { publishToRegistry } from "./adapters/oci-publish.ts";
import { STANDS } from "./adapters/paced.ts";
import type { Listing, Opening } from "./contract.ts";
import { type PlayedRelease, playedGithub } from "./test-github.ts";
import { releasesSuite } from "./test-suite.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;
const mapOf = (files: Files): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));
const FILES = { "metadata.yaml": "versions: {}\n", "clusteraddon.yaml": "x", "hashes.json": "{}" } as const;
const TAG = "a-b-1-27-v1";
const MINUTE = 60_000;

function github({ page, tokenFile }: { readonly page?: number; readonly tokenFile?: string } = {}) {
  const clock = new ManualClock();
  const played = playedGithub(page === undefined ? {} : { page });
  const source = { github: { repository: "acme/stacks", tokenFile } };
  const releases = configuredReleases({ default: source }, { clock, fetch: played.fetch });
  const put = (tag: string, files: Files = FILES, more: Omit<PlayedRelease, "files"> = {}) =>
    played.put(tag, { files: mapOf(files), ...more });
  return { ...played, clock, releases, put };
}
function registry() {
  const clock = new ManualClock();
  const played = playedRegistry();
  const named = "registry.example.org/acme/stacks";
  const releases = configuredReleases(
    { default: { oci: { repository: named } } },
    { clock, fetch: played.fetch },
  );
  const client = new RegistryClient(repositoryOf(named), { fetch: played.fetch });
  const put = (tag: string, files: Files = FILES) => publishToRegistry(client, tag, mapOf(files), { tag });
  return { ...played, clock, releases, client, put };
}
const tagsOf = (listing: Listing): readonly string[] => {
  assert.equal(listing.state, "listed", JSON.stringify(listing));
  return listing.state === "listed" ? listing.releases.map(({ tag }) => tag) : [];
};
const failedAs = (answer: Listing | Opening, reason: string, message: RegExp): void => {
  assert.ok(answer.state === "failed", answer.state);
  assert.equal(answer.reason, reason);
  assert.match(answer.message, message);
};
const damagedAs = (answer: Opening, message: RegExp): void => {
  assert.ok(answer.state === "damaged", JSON.stringify(answer));
  assert.match(answer.message, message);
};
const opened = (answer: Opening) => {
  assert.ok(answer.state === "opened", JSON.stringify(answer));
  return answer.release;
};

releasesSuite("GitHub", async () => {
  const { releases, put, remove, clock } = github({ page: 2 });
  return {
    releases,
    put: async (tag, files) => {
      put(tag, files);
      clock.advance(STANDS);
    },
    remove: async (tag) => remove(tag),
  };
});
releasesSuite("a registry", async () => {
  const { releases, put, client, clock } = registry();
  await put("first");
  await client.remove("first");
  return {
    releases,
    put: async (tag, files) => {
      await put(tag, files);
      clock.advance(STANDS);
    },
    remove: (tag) => client.remove(tag),
  };
});

describe("releases on GitHub", () => {
  test("are found on the last of many pages, drafts are not, prereleases are marked", async () => {
    const { put, releases } = github();
    put("a-b-1-27-v9");
    put("a-b-1-27-v10", FILES, { prerelease: true });
    put("a-b-1-27-v0-sha-abc", FILES, { prerelease: true });
    put("a-b-1-27-v11", FILES, { draft: true });
    for (let index = 0; index < 250; index += 1) put(`other-${index}`);
    const listing = await releases.list("default");
    assert.ok(listing.state === "listed");
    assert.equal(listing.releases.length, 253);
    assert.deepEqual(
      listing.releases
        .filter(({ tag }) => tag.startsWith("a-b"))
        .map(({ tag, prerelease }) => [tag, prerelease]),
      [
        ["a-b-1-27-v0-sha-abc", true],
        ["a-b-1-27-v10", true],
        ["a-b-1-27-v9", undefined],
      ],
    );
    assert.equal((await releases.open("default", "a-b-1-27-v11")).state, "absent");
    assert.equal((await releases.open("default", "a-b-1-27-v10")).state, "opened");
  });

  test("are told to each credential apart, and to nobody who brings none", async () => {
    const clock = new ManualClock();
    const played = playedGithub();
    const source = { github: { repository: "acme/stacks" }, secretName: "acme" };
    const releases = configuredReleases({ default: source }, { clock, fetch: played.fetch });
    played.put(TAG, { files: mapOf(FILES) });
    played.interfere(({ headers, url }) =>
      !url.startsWith("https://api.") || headers.get("authorization") === "Bearer right"
        ? undefined
        : new Response("{}", { status: 401 }),
    );
    const right = { credentials: { token: "right" } };
    const wrong = { credentials: { token: "wrong" } };
    assert.deepEqual(tagsOf(await releases.list("default", right)), [TAG]);
    failedAs(await releases.list("default", wrong), "refused", /refuses the token/);
    failedAs(await releases.open("default", TAG, wrong), "refused", /refuses the token/);
    assert.equal((await releases.open("default", TAG, right)).state, "opened");
    failedAs(await releases.open("default", TAG), "refused", /with the Secret acme of a namespace alone/);
  });

  test("are listed once for all who ask, and then only what changed is sent", async () => {
    const { put, releases, seen, clock } = github();
    put(TAG);
    const lists = await Promise.all([1, 2, 3, 4, 5].map(() => releases.list("default")));
    assert.equal(seen.length, 1);
    const [first] = lists;
    assert.ok(first?.state === "listed");
    clock.advance(STANDS);
    assert.deepEqual(await releases.list("default", { known: first.version }), { state: "unchanged" });
    assert.match(seen.at(-1)?.headers.get("if-none-match") ?? "", /^W\//);
    await releases.list("default", { news: "push" });
    await releases.list("default", { news: "push" });
    assert.equal(seen.length, 3);
  });

  test.each<[string, number, Readonly<Record<string, string>>, number]>([
    ["a reset", 403, { "x-ratelimit-remaining": "0" }, 17 * MINUTE],
    ["Retry-After", 429, { "retry-after": "1020" }, 17 * MINUTE],
    ["no time at all", 429, {}, MINUTE],
  ])(
    "are not asked for before the time that %s names, whatever the news",
    async (_, status, headers, wait) => {
      const { put, releases, seen, clock, interfere } = github();
      put(TAG);
      const end = clock.now() + wait;
      const reset = { "x-ratelimit-reset": String(end / 1000) };
      interfere(() => new Response("{}", { status, headers: { ...reset, ...headers } }));
      const answer = await releases.list("default");
      failedAs(answer, "limited", new RegExp(`source default.*${timeOf(end)}`));
      assert.equal(answer.state === "failed" && answer.notBefore, timeOf(end));
      interfere(undefined);
      clock.advance(wait - 1);
      assert.deepEqual(await releases.list("default", { news: "push" }), answer);
      assert.deepEqual(await releases.open("default", TAG, { news: "push" }), answer);
      assert.equal(seen.length, 1);
      clock.advance(1);
      assert.deepEqual(tagsOf(await releases.list("default")), [TAG]);
    },
  );

  test("say whether the repository, the right, the release or GitHub itself is missing", async () => {
    const { put, releases, interfere, clock } = github();
    put(TAG);
    const answering = (status: number) => interfere(() => new Response("SECRET", { status }));
    for (const [status, reason, message] of [
      [404, "refused", /acme\/stacks on api\.github\.com.* is not there, or the token may not see it/],
      [401, "refused", /refuses the token/],
      [403, "refused", /token may not read/],
      [502, "unavailable", /502 Bad Gateway/],
      [200, "unavailable", /none of GitHub's/],
    ] as const) {
      answering(status);
      failedAs(await releases.list("default"), reason, message);
      failedAs(await releases.open("default", TAG), reason, message);
      clock.advance(STANDS);
    }
    interfere(() => {
      throw new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
    });
    failedAs(await releases.list("default"), "unavailable", /fetch failed: ECONNREFUSED/);
    interfere(undefined);
    assert.deepEqual(await releases.open("default", "a-b-1-27-v99"), {
      state: "absent",
      message: "source default has no release a-b-1-27-v99",
    });
  });

  test("have assets that are read from elsewhere, where no token goes", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "stack-releases-"));
    t.onTestFinished(() => rm(folder, { recursive: true }));
    const tokenFile = join(folder, "token");
    await writeFile(tokenFile, "secret\n");
    const { put, releases, seen } = github({ tokenFile });
    put(TAG);
    const { files } = opened(await releases.open("default", TAG));
    assert.deepEqual([...files.keys()], ["clusteraddon.yaml", "metadata.yaml"]);
    for (const { url, headers } of seen)
      assert.equal(
        headers.get("authorization"),
        url.startsWith("https://api.") ? "Bearer secret" : null,
        url,
      );
    await writeFile(tokenFile, "two words");
    failedAs(await releases.open("default", TAG, { news: "x" }), "refused", /holds no secret/);
    await rm(tokenFile);
    failedAs(await releases.open("default", TAG, { news: "x" }), "refused", /cannot be read \(ENOENT/);
  });

  test("are read once, until another asset is there", async () => {
    const { put, releases, seen, clock } = github();
    put(TAG);
    const first = opened(await releases.open("default", TAG));
    const requests = seen.length;
    assert.equal(opened(await releases.open("default", TAG)), first);
    assert.equal(seen.length, requests);
    clock.advance(STANDS);
    assert.equal(opened(await releases.open("default", TAG)), first);
    assert.equal(seen.length, requests + 1);
    put(TAG, { ...FILES, "metadata.yaml": "other" });
    assert.notEqual(opened(await releases.open("default", TAG, { news: "push" })).digest, first.digest);
  });

  test("that are damaged say how, and heal without a restart", async () => {
    const { put, releases, interfere } = github();
    put(TAG, { "metadata.yaml": "versions" });
    for (const [content, message] of [
      ["VERSIONS", /metadata\.yaml is not what its digest says/],
      ["ver", /metadata\.yaml has 3 bytes instead of the 8/],
      ["versions and more", /metadata\.yaml has more than the 8 bytes/],
    ] as const) {
      interfere(({ url }) => (url.startsWith("https://release-assets") ? new Response(content) : undefined));
      damagedAs(await releases.open("default", TAG), message);
    }
    interfere(undefined);
    assert.equal(opened(await releases.open("default", TAG)).files.size, 1);
  });

  test("whose reading breaks off are read whole the next time (scenario 12)", async () => {
    const { put, releases, interfere } = github();
    put(TAG);
    interfere(({ url }) => (url.endsWith("01") ? new Response(null, { status: 500 }) : undefined));
    failedAs(await releases.open("default", TAG), "unavailable", /500/);
    interfere(undefined);
    assert.equal(opened(await releases.open("default", TAG)).files.size, 2);
  });

  test("have a list that ends, on GitHub's own server", async () => {
    for (const [link, message] of [
      ['<https://api.github.com/repos/acme/stacks/releases?per_page=100>; rel="next"', /have no end/],
      ['<https://elsewhere.example/x>; rel="next"', /none of GitHub's/],
    ] as const) {
      const { releases, interfere, seen } = github();
      interfere(() => Response.json([], { headers: { link } }));
      failedAs(await releases.list("default"), "unavailable", message);
      assert.equal(seen.length, 1);
    }
  });
});

describe("releases in a registry", () => {
  test("have the digest of their files, whatever their manifest, as from any other source", async () => {
    const { put, releases } = registry();
    const first = await put(TAG, FILES);
    const read = opened(await releases.open("default", TAG));
    const inMemory = memoryReleases();
    inMemory.put(TAG, FILES);
    assert.equal(read.digest, opened(await inMemory.open("default", TAG)).digest);
    assert.equal(read.formerDigest, first, "what was stored of it before is still known");
    const second = await put(TAG, { ...FILES, LICENSE: "x" });
    assert.notEqual(second, first);
    assert.equal(opened(await releases.open("default", TAG, { news: "push" })).digest, read.digest);
  });

  test("have layers of the types that the format names", async () => {
    const { put, client } = registry();
    await put(TAG, { ...FILES, "a-b-1-27-cluster-class-v1.tgz": "x" });
    const document = await client.document(TAG);
    assert.ok(document.kind === "manifest");
    assert.equal(document.content.artifactType, ARTIFACT_TYPE);
    assert.deepEqual(
      document.content.layers.map(({ mediaType, annotations }) => [annotations?.[TITLE], mediaType]),
      [
        ["a-b-1-27-cluster-class-v1.tgz", "application/vnd.scs.cluster-class.v1.tar+gzip"],
        ["clusteraddon.yaml", "application/vnd.scs.cluster-addon.config.layer.v1+yaml"],
        ["hashes.json", "application/vnd.scs.hashes.layer.v1+yaml"],
        ["metadata.yaml", "application/vnd.scs.metadata.layer.v1+yaml"],
      ],
    );
  });

  test("are damaged where a blob is another, a file comes twice, or it is something else", async () => {
    const { put, releases, client, interfere } = registry();
    await put(TAG);
    interfere(({ url, method }) =>
      url.includes("/blobs/") && method === "GET" ? new Response("?") : undefined,
    );
    damagedAs(
      await releases.open("default", TAG),
      /has 1 bytes instead of|more than its 1 bytes|not what its digest/,
    );
    interfere(undefined);
    assert.equal(opened(await releases.open("default", TAG)).files.size, 2);
    const layer = await client.pushBlob(Buffer.from("x"), "text/plain");
    const named = { ...layer, annotations: { [TITLE]: "metadata.yaml" } };
    const of = { schemaVersion: 2, mediaType: MANIFEST_TYPE, artifactType: ARTIFACT_TYPE };
    await client.pushManifest("twice", { ...of, layers: [named, named] });
    damagedAs(await releases.open("default", "twice"), /two files metadata\.yaml/);
    await client.pushManifest("image", { ...of, artifactType: "application/vnd.other", layers: [] });
    damagedAs(await releases.open("default", "image"), /image is no release: it is application\/vnd\.other/);
    await client.pushManifest("large", { ...of, layers: [{ ...named, size: 2 ** 40 }] });
    damagedAs(await releases.open("default", "large"), /1099511627776 bytes, 16777216 at most/);
  });

  test("say whether repository, right or registry is missing, and wait as they are told", async () => {
    const { put, releases, interfere, clock, seen } = registry();
    failedAs(await releases.list("default"), "refused", /acme\/stacks.*is not there/);
    failedAs(await releases.open("default", TAG), "refused", /acme\/stacks.*is not there/);
    await put("a-b-1-27-v2");
    clock.advance(STANDS);
    assert.equal((await releases.open("default", TAG)).state, "absent");
    const before = seen.length;
    interfere(() => new Response("", { status: 429, headers: { "retry-after": "1020" } }));
    const answer = await releases.list("default", { news: "x" });
    failedAs(answer, "limited", new RegExp(timeOf(clock.now() + 17 * MINUTE)));
    assert.deepEqual(await releases.open("default", TAG, { news: "y" }), answer);
    assert.equal(seen.length, before + 1);
    clock.advance(17 * MINUTE);
    interfere(() => new Response("", { status: 401 }));
    failedAs(await releases.list("default"), "refused", /refuses the credentials/);
  });
});
