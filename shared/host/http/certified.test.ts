import assert from "node:assert/strict";
import { describe, it, type TestContext } from "vitest";
import { keepSecrets, NOW, post, scene } from "../../../infra/testing/ingress-scene.ts";
import type { CertifiedTrigger } from "../../function/trigger.ts";
import { fieldOf } from "../../json/fields.ts";
import { createAuthority } from "../../tls/index.ts";
import { rememberPeer } from "./caller.ts";
import { provenByConnection, provenByGateway } from "./certified.ts";

keepSecrets();

const hour = 3_600_000;
const times = { notBefore: NOW - hour, notAfter: NOW + 24 * hour };
const authority = createAuthority(times);

/** Tells of a release whose origin is the sender. */
const doorbell: CertifiedTrigger = {
  name: "doorbell",
  path: "/:contract/:house/ring",
  proof: "certificate",
  maximumBody: 200,
  read({ commonName, path: { contract, house }, body, id }) {
    if (contract !== "v1") return { issues: ["(path): v1 is wanted"] };
    if (house === "empty") return { ignored: "nobody lives there" };
    const version = fieldOf(body, "version");
    if (typeof version !== "string") return { issues: ["version: expected string"] };
    const data = { origin: `${commonName}/${house}`, version };
    return { notices: [{ at: undefined, event: { id, type: "release.published", subject: version, data } }] };
  },
};

const begun = (t: TestContext, over: { readonly gateway?: string; readonly noJson?: 500 } = {}) => {
  const { gateway, noJson } = over;
  const bundle = { now: authority.certificate };
  const made = scene(t, {
    certified: {
      triggers: [{ ...doorbell, noJson }],
      prove: (request) =>
        provenByGateway({ authorities: async () => bundle.now, gateway, clock: made.clock })(request),
    },
  });
  return { ...made, bundle };
};
const body = JSON.stringify({ version: "1" });
const forwarded = (pem: string): string =>
  `Hash=ab;Cert="${encodeURIComponent(pem)}";Subject="CN=a,O=b";URI=`;
const of = (commonName: string, by = authority, over = {}): string =>
  by.issue({ commonName, ...times, ...over }).certificate;
const ring = (header: string | undefined, path = "/v1/mine/ring", text = body): Request =>
  post(path, text, header === undefined ? {} : { "x-forwarded-client-cert": header });

describe("a trigger that certificates prove", () => {
  it("publishes what its sender tells, in the name of the certificate", async (t) => {
    const { handler, published } = begun(t);
    const response = await handler(ring(forwarded(of("alice"))));
    assert.equal(response.status, 202);
    assert.deepEqual(
      published.map(({ type, source, data }) => [type, source, data]),
      [["release.published", "/triggers/doorbell", { origin: "alice/mine", version: "1" }]],
    );
    await handler(ring(forwarded(of("alice"))));
    assert.equal(new Set(published.map(({ id }) => id)).size, 2, "the same words are a new delivery");
  });

  it("answers the same whether it knows what it is told or not", async (t) => {
    const { handler, published } = begun(t);
    const known = await handler(ring(forwarded(of("alice"))));
    const ignored = await handler(ring(forwarded(of("alice")), "/v1/empty/ring"));
    assert.deepEqual([known.status, await known.text()], [ignored.status, await ignored.text()]);
    assert.equal(published.length, 1);
  });

  it("takes a path with a slash at its end for the same path", async (t) => {
    const { handler, published } = begun(t);
    assert.equal((await handler(ring(forwarded(of("alice")), "/v1/mine/ring/"))).status, 202);
    assert.deepEqual(
      published.map(({ data }) => data),
      [{ origin: "alice/mine", version: "1" }],
    );
  });

  it("refuses whatever no authority proves", async (t) => {
    const { handler, published, clock, bundle } = begun(t);
    const good = of("alice");
    for (const [what, header] of [
      ["no header", undefined],
      ["an empty one", ""],
      ["no Cert", "Hash=ab;URI=spiffe://a"],
      ["no certificate", "Cert=hello"],
      ["no encoding", "Cert=%E0%A4%A"],
      ["a forged one", forwarded(of("alice", createAuthority(times)))],
      ["a forged one beside a good one", `${forwarded(of("alice"))},${forwarded(good)}`],
      ["one of yesterday", forwarded(of("alice", authority, { notAfter: NOW - 1_000 }))],
      ["one of tomorrow", forwarded(of("alice", authority, { notBefore: NOW + 60_000 }))],
      ["one for servers", forwarded(of("alice", authority, { serverNames: ["a.example.org"] }))],
      ["a long one", `${forwarded(good)};By=${"x".repeat(33_000)}`],
    ] as const)
      assert.equal((await handler(ring(header))).status, 401, what);
    bundle.now = createAuthority(times).certificate;
    assert.equal((await handler(ring(forwarded(good)))).status, 401, "trusted no more");
    bundle.now = `${createAuthority(times).certificate}${authority.certificate}`;
    assert.equal((await handler(ring(forwarded(good)))).status, 202, "trusted beside another");
    await clock.advance(25 * hour);
    assert.equal((await handler(ring(forwarded(good)))).status, 401, "its time is over");
    assert.equal(published.length, 1);
  });

  it("is told of by its gateway alone, where that has a name", async (t) => {
    const { handler, published } = begun(t, { gateway: "gateway.example.org" });
    const through = (certificate: string | undefined): Request => {
      const request = ring(forwarded(of("alice")));
      rememberPeer(request, { certificate, verified: certificate !== undefined });
      return request;
    };
    assert.equal((await handler(ring(forwarded(of("alice"))))).status, 401);
    assert.equal((await handler(through("alice"))).status, 401);
    assert.equal((await handler(through(undefined))).status, 401);
    assert.equal((await handler(through("gateway.example.org"))).status, 202);
    assert.equal(published.length, 1);
  });

  it("says what is wrong with the rest", async (t) => {
    const { handler, published, log } = begun(t);
    const proof = forwarded(of("alice"));
    assert.equal((await handler(new Request("http://reveille/v1/mine/ring"))).status, 405);
    assert.equal((await handler(ring(proof, undefined, "x".repeat(201)))).status, 413);
    const announced = post("/v1/mine/ring", "x", { "content-length": "201" });
    assert.equal((await handler(announced)).status, 413, "of nobody, and it says itself that it is too long");
    assert.equal((await handler(ring(forwarded(of(""))))).status, 400, "no common name");
    for (const path of ["/v2/mine/ring", "//mine/ring"])
      assert.equal((await handler(ring(proof, path))).status, 400, path);
    for (const path of ["/v1/ring", "/v1/a/b/ring", "/v1/mine/knock"])
      assert.equal((await handler(ring(proof, path))).status, 404, path);
    assert.equal((await handler(ring(proof, undefined, "{"))).status, 400);
    assert.equal((await begun(t, { noJson: 500 }).handler(ring(proof, undefined, "{"))).status, 500);
    assert.deepEqual(published, []);
    assert.doesNotMatch(JSON.stringify(log), /BEGIN|MII/);
  });

  it("keeps what stands in a body out of answers and the log, also where it is no JSON", async (t) => {
    const { handler, log } = begun(t, { noJson: 500 });
    const answer = await handler(ring(forwarded(of("alice")), undefined, '{"token": hunter2}'));
    assert.equal(answer.status, 500);
    assert.equal(log.length, 1);
    assert.doesNotMatch(`${await answer.text()} ${JSON.stringify(log)}`, /hunter2/);
  });

  it("waits for authorities that cannot be read", async (t) => {
    const { handler, bundle } = begun(t);
    bundle.now = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    assert.equal((await handler(ring(forwarded(of("alice"))))).status, 503);
  });

  it("never fails, whatever comes", async (t) => {
    const { handler, published, log } = begun(t);
    const good = forwarded(of("alice"));
    const next = generator(7);
    const pick = <T>(all: readonly T[]): T => all[next(all.length)] as T;
    for (let round = 0; round < 3_000; round++) {
      const text = [...good];
      for (let edit = next(6); edit > 0; edit--)
        text.splice(
          next(text.length),
          next(3),
          pick(["%", ",", ";", '"', "\\", "=", "Cert=", "%00", "ÿ", "A"]),
        );
      // A header's value holds no white space at its ends, and no line.
      const header = text.join("").slice(next(2) === 0 ? 0 : next(text.length));
      const at = pick([
        "/v1/mine/ring",
        "/v1/%/ring",
        "/v1/mine/ring/",
        "//v1/ring",
        "/v1/../ring",
        "/v1//ring",
      ]);
      const what = pick([body, "", "{", "null", "[1]", '{"version":1}', "\0", "9".repeat(300)]);
      const { status } = await handler(ring(header, at, what));
      assert.ok([202, 400, 401, 404, 413].includes(status), `${status} ${header} ${at} ${what}`);
    }
    for (const { data } of published) assert.match(JSON.stringify(data), /"origin":"alice\//);
    assert.deepEqual(
      log.filter(({ level }) => level === "error").map(({ message }) => message),
      [],
    );
  });
});

describe("a trigger that a connection proves", () => {
  const told = async (t: TestContext, peer?: Parameters<typeof rememberPeer>[1]): Promise<number> => {
    const { handler } = scene(t, { certified: { triggers: [doorbell], prove: provenByConnection } });
    const request = ring(forwarded(of("alice")));
    if (peer !== undefined) rememberPeer(request, peer);
    return (await handler(request)).status;
  };
  it("takes the certificate that the server verified, and no header", async (t) => {
    assert.equal(await told(t), 401);
    assert.equal(await told(t, { verified: false, certificate: undefined }), 401);
    assert.equal(await told(t, { verified: true, certificate: "" }), 400);
    assert.equal(await told(t, { verified: true, certificate: undefined }), 400);
    assert.equal(await told(t, { verified: true, certificate: "alice" }), 202);
  });
});

/** Numbers below a limit, the same each time. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}
