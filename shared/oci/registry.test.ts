import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import { type Interference, playedRegistry } from "../../infra/testing/played-registry.ts";
import { challengesOf } from "./challenge.ts";
import { manifestOrIndex } from "./documents.ts";
import { type Credentials, MANIFEST_TYPE, OciError, RegistryClient, repositoryOf } from "./index.ts";

const EMPTY = { schemaVersion: 2, mediaType: MANIFEST_TYPE } as const;
const HOST = "https://registry.example.org";

function scene(credentials?: Credentials) {
  const registry = playedRegistry();
  const clock = new ManualClock();
  const repository = repositoryOf("registry.example.org/some/artifacts");
  const options = { fetch: registry.fetch, clock, timeoutMilliseconds: 1_000 };
  const client = new RegistryClient(repository, { ...options, credentials: async () => credentials });
  const push = async (...tags: readonly string[]) => {
    const layer = await client.pushBlob(Buffer.from("some content"), "text/plain");
    for (const tag of tags)
      await client.pushManifest(tag, { ...EMPTY, layers: [layer], annotations: { tag } });
    return layer;
  };
  return { ...registry, clock, client, push };
}
const at =
  (path: string, answer: (request: Request) => Response | undefined): Interference =>
  (request) =>
    request.url.startsWith(`${HOST}${path}`) ? answer(request) : undefined;
const refuses = (asked: Promise<unknown>, code: OciError["code"], message: RegExp) =>
  assert.rejects(asked, (error) => {
    assert.ok(error instanceof OciError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

describe("a repository", () => {
  test("has the tags of all pages", async () => {
    const { client, push } = scene();
    await push("v1", "v2", "v3", "v4", "v5");
    assert.deepEqual(await client.tags(), ["v1", "v2", "v3", "v4", "v5"]);
  });

  test("whose pages go in a circle, or to another server, has no list", async () => {
    const { client, interfere, seen } = scene();
    const leading = (link: string) =>
      at("/v2/some/artifacts/tags", () => Response.json({ tags: ["v1"] }, { headers: { link } }));
    interfere(leading('</v2/some/artifacts/tags/list?last=v1>; rel="next"'));
    await refuses(client.tags(), "OCI_ANSWER_INVALID", /pages have no end/);
    const before = seen.length;
    interfere(leading('<https://elsewhere.example/v2/x/tags/list>; rel="next"'));
    await refuses(client.tags(), "OCI_ANSWER_INVALID", /next page is on another server/);
    assert.equal(seen.length, before + 1);
  });

  test("gives no document and no blob that is not what its digest says", async () => {
    const { client, push, interfere } = scene();
    const layer = await push("v1");
    const { digest } = (await client.document("v1")).descriptor;
    interfere(at("/v2/some/artifacts/manifests", () => Response.json({ layers: [] })));
    await refuses(client.document(digest), "OCI_DIGEST_MISMATCH", /not what its digest says/);
    const told = { headers: { "docker-content-digest": digest } };
    interfere(at("/v2/some/artifacts/manifests", () => Response.json({ layers: [] }, told)));
    await refuses(client.document("v1"), "OCI_DIGEST_MISMATCH", /not what its digest says/);
    for (const [content, why] of [
      ["some CONTENT", /is not what its digest says/],
      ["some", /has 4 bytes instead of 12/],
      ["some content and more", /has more than its 12 bytes/],
    ] as const) {
      interfere(at("/v2/some/artifacts/blobs", () => new Response(content)));
      await refuses(client.blobBytes(layer), "OCI_DIGEST_MISMATCH", why);
      await refuses(
        client.blob(layer, async () => "read nothing"),
        "OCI_DIGEST_MISMATCH",
        why,
      );
    }
  });

  test("sends no content without end, and none that is too large", async () => {
    const { client, push, interfere, seen } = scene();
    const layer = await push("v1");
    let left = 0;
    const endless = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (stream) => stream.enqueue(new Uint8Array(2 ** 20)),
          cancel: () => {
            left += 1;
          },
        }),
      );
    interfere(at("/v2/some/artifacts", endless));
    await refuses(client.blobBytes(layer), "OCI_DIGEST_MISMATCH", /more than its 12 bytes/);
    await refuses(client.document("v1"), "OCI_TOO_LARGE", /larger than 4194304 bytes/);
    await refuses(client.tags(), "OCI_TOO_LARGE", /larger than 4194304 bytes/);
    assert.ok(left >= 2);
    const before = seen.length;
    await refuses(client.blobBytes(layer, { maximumBytes: 11 }), "OCI_TOO_LARGE", /has 12 bytes, 11 at most/);
    assert.equal(seen.length, before);
  });

  test("says what it refuses, and when to ask again", async () => {
    const { client, interfere, clock } = scene();
    const status = (code: number, headers = {}) =>
      interfere(() => new Response("SECRET", { status: code, headers }));
    status(404);
    await refuses(
      client.tags(),
      "OCI_NOT_FOUND",
      /tags of registry\.example\.org\/some\/artifacts: .*404 Not Found/,
    );
    status(403);
    await refuses(client.tags(), "OCI_UNAUTHORIZED", /403/);
    status(502);
    await refuses(client.tags(), "OCI_UNAVAILABLE", /502 Bad Gateway/);
    status(429, { "retry-after": "1020" });
    await assert.rejects(client.tags(), { code: "OCI_RATE_LIMITED", notBefore: clock.now() + 1_020_000 });
    status(429);
    await assert.rejects(client.tags(), { code: "OCI_RATE_LIMITED", notBefore: clock.now() + 60_000 });
    interfere(() => new Response("<html>"));
    await refuses(client.tags(), "OCI_ANSWER_INVALID", /no list of tags/);
    await refuses(client.document("v1"), "OCI_ANSWER_INVALID", /is no manifest/);
    await refuses(client.document("../../x"), "OCI_NOT_FOUND", /neither a tag nor a digest/);
  });

  test("takes no upload to another server", async () => {
    const { client, interfere } = scene();
    const location = "https://elsewhere.example/upload";
    interfere(({ method }) =>
      method === "POST" ? new Response(null, { status: 202, headers: { location } }) : undefined,
    );
    const push = client.pushBlob(Buffer.from("x"), "text/plain");
    await refuses(push, "OCI_ANSWER_INVALID", /sends the upload to another server/);
  });

  test.each([
    ["registry.example.org/a/b", "https://registry.example.org/", "a/b"],
    ["127.0.0.1:5000/a", "http://127.0.0.1:5000/", "a"],
    ["localhost/a", "http://localhost/", "a"],
    ["localhost.example.org/a", "https://localhost.example.org/", "a"],
  ])("is named %s", (text, registry, name) => {
    assert.deepEqual(repositoryOf(text), { registry: new URL(registry), name });
  });

  test.each(["a", "/a", "host/", "host/A", "host/../b", "user:word@host/a", "host/a?b", "https://host/a"])(
    "is not named %s",
    (text) => {
      assert.throws(() => repositoryOf(text), { code: "OCI_NAME_INVALID" });
    },
  );
});

describe("a registry that wants a login", () => {
  const ada = { username: "ada", password: "secret" };
  const PROOF = `Basic ${Buffer.from("ada:secret").toString("base64")}`;
  const wanting =
    (challenge: string, proof: string, more?: Interference): Interference =>
    (request) => {
      const other = more?.(request);
      if (other !== undefined || request.headers.get("authorization") === proof) return other;
      return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
    };

  test("is told name and password where it asks for them, and not before", async () => {
    const { client, push, interfere, seen } = scene(ada);
    await push("v1");
    const before = seen.length;
    interfere(wanting('Basic realm="r"', PROOF));
    assert.deepEqual(await client.tags(), ["v1"]);
    assert.deepEqual(await client.tags(), ["v1"]);
    assert.deepEqual(
      seen.slice(before).map(({ headers }) => headers.get("authorization")),
      [null, PROOF, PROOF],
    );
  });

  test("gives a token for this repository, which is renewed before it ends", async () => {
    const { client, push, interfere, seen, clock } = scene(ada);
    await push("v1");
    let given = 0;
    const token = (request: Request) => {
      if (!request.url.startsWith("https://auth.example.org/token")) return undefined;
      given += 1;
      return Response.json({ token: "t", expires_in: 100 });
    };
    const challenge = 'Bearer realm="https://auth.example.org/token",service="s",scope="repository:all:*"';
    interfere(wanting(challenge, "Bearer t", token));
    assert.deepEqual(await client.tags(), ["v1"]);
    clock.advance(79_000);
    await client.tags();
    assert.equal(given, 1);
    clock.advance(1_000);
    await client.tags();
    assert.equal(given, 2);
    const asked = seen.find(({ url }) => url.startsWith("https://auth"));
    assert.equal(asked?.headers.get("authorization"), PROOF);
    assert.equal(new URL(asked?.url ?? "").searchParams.get("scope"), "repository:some/artifacts:pull");
    assert.equal(new URL(asked?.url ?? "").searchParams.get("service"), "s");
  });

  test("gives a token beside which it says odd things, and is believed the token", async () => {
    for (const odd of [{ access_token: null }, { expires_in: "300" }, { expires_in: -1 }]) {
      const { client, push, interfere } = scene(ada);
      await push("v1");
      const token = ({ url }: Request) =>
        url.startsWith("https://auth.example.org/token") ? Response.json({ token: "t", ...odd }) : undefined;
      interfere(wanting('Bearer realm="https://auth.example.org/token"', "Bearer t", token));
      assert.deepEqual(await client.tags(), ["v1"]);
    }
  });

  test("that wants it in the clear, or gives none, is refused, and learns nothing", async () => {
    for (const realm of ["http://auth.example.org/token", "http://registry.example.org/token", "token"]) {
      const { client, interfere, seen } = scene(ada);
      interfere(wanting(`Bearer realm="${realm}"`, "none"));
      await refuses(client.tags(), "OCI_ANSWER_INVALID", /neither https nor its own host/);
      assert.equal(seen.length, 1);
    }
    const { client, interfere } = scene(ada);
    interfere(
      wanting('Bearer realm="https://auth.example.org/token"', "none", ({ url }) =>
        url.startsWith("https://auth") ? Response.json({ token: "a\nb" }) : undefined,
      ),
    );
    await refuses(client.tags(), "OCI_ANSWER_INVALID", /gave no token/);
  });

  test("and refuses these credentials is asked no more than once with them", async () => {
    const { client, interfere, seen } = scene(ada);
    interfere(wanting("Basic", "none"));
    await refuses(client.tags(), "OCI_UNAUTHORIZED", /refuses the credentials/);
    assert.equal(seen.length, 2);
  });

  test("is given a token of its own as it is", async () => {
    const { client, push, interfere } = scene({ token: "own" });
    await push("v1");
    interfere(wanting('Bearer realm="https://auth.example.org/token"', "Bearer own"));
    assert.deepEqual(await client.tags(), ["v1"]);
  });

  test("leads to another server, which sees no token", async () => {
    const { client, push, interfere, seen } = scene(ada);
    const layer = await push("v1");
    const location = "https://storage.example.com/blob?signed";
    interfere(
      wanting("Basic", PROOF, ({ url, headers }) => {
        if (url === location) return new Response("some content");
        return url.includes("/blobs/") && headers.has("authorization")
          ? new Response(null, { status: 307, headers: { location } })
          : undefined;
      }),
    );
    assert.equal(String(await client.blobBytes(layer)), "some content");
    assert.equal(seen.at(-1)?.url, location);
    assert.equal(seen.at(-1)?.headers.has("authorization"), false);
  });
});

test.each([
  [
    'Basic realm="a, b", Bearer realm="https://x/t",service=s',
    { basic: { realm: "a, b" }, bearer: { realm: "https://x/t", service: "s" } },
  ],
  ['Bearer realm="a\\"b"', { bearer: { realm: 'a"b' } }],
  ["Negotiate", { negotiate: {} }],
  ["Basic, Bearer", { basic: {}, bearer: {} }],
  ["", {}],
  ["=x", {}],
  ['Bearer realm="unended', { bearer: {} }],
  [`${" ,".repeat(5_000)}Basic`, {}],
])("the challenges %j", (header, wanted) => {
  const found = Object.fromEntries(
    challengesOf(header).map(({ scheme, parameters }) => [scheme, parameters]),
  );
  assert.deepEqual(found, wanted);
});

test("a document that cannot be read says which field is in the way", () => {
  const read = (document: unknown, mediaType: string) => () =>
    manifestOrIndex(document, { mediaType, place: "v1" });
  const digest = `sha512:${"0".repeat(128)}`;
  assert.throws(
    read({ layers: [{ digest, size: 1 }] }, "application/vnd.oci.image.manifest.v1+json"),
    /^OciError: v1: it is no manifest \(layers\.0\.digest: only sha256 digests are read\)$/,
  );
  assert.throws(
    read({ manifests: [{ digest, size: 1 }] }, "application/vnd.oci.image.index.v1+json"),
    /v1: it is no index \(manifests\.0\.digest: only sha256 digests are read\)$/,
  );
  assert.throws(read(undefined, ""), /v1: it is no manifest$/);
});
