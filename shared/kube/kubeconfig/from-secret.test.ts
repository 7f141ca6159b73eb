import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { stringify } from "yaml";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { systemClock } from "../../clock/clock.ts";
import { createAuthority } from "../../tls/index.ts";
import { KubeconfigError } from "./errors.ts";
import { connectionFromSecret, type FromSecretOptions } from "./from-secret.ts";

const authority = createAuthority();
const pair = authority.issue({ commonName: "ada" });
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const ca = { "certificate-authority-data": base64(authority.certificate) };
const certificate = {
  "client-certificate-data": base64(pair.certificate),
  "client-key-data": base64(pair.key),
};
const TOKEN = "s3cr3t-t0k3n";
const where = "Secret kcp-system/rt-1, key config";

const config = (cluster: object = {}, user: object = { token: TOKEN }, more: object = {}): object => ({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "main",
  contexts: [{ name: "main", context: { cluster: "c", user: "u" } }],
  clusters: [{ name: "c", cluster: { server: "https://api.example:6443", ...ca, ...cluster } }],
  users: [{ name: "u", user }],
  ...more,
});
const read = (content: object | string, options: Partial<FromSecretOptions> = {}) =>
  connectionFromSecret(typeof content === "string" ? content : stringify(content), {
    where,
    clock: systemClock,
    ...options,
  });

describe("a kubeconfig in a Secret", () => {
  it("leads where it says, with a token or a certificate", async () => {
    const byToken = read(config());
    assert.equal(byToken.server, "https://api.example:6443");
    assert.equal(byToken.tls.ca, authority.certificate);
    assert.deepEqual(await byToken.credentials.current(), { authorization: `Bearer ${TOKEN}` });
    assert.equal(byToken.expires, undefined);
    const byCertificate = read(config({}, certificate));
    assert.equal(byCertificate.tls.key, pair.key);
    assert.ok((byCertificate.expires ?? 0) > Date.now());
  });

  it("tells when a token ends", () => {
    const claims = Buffer.from(JSON.stringify({ exp: 1_900_000_000 })).toString("base64url");
    assert.equal(read(config({}, { token: `a.${claims}.b` })).expires, 1_900_000_000_000);
    assert.equal(read(config({}, { token: "a.!!.b" })).expires, undefined);
  });

  it("needs no current-context where it has one context alone", () => {
    assert.equal(read(config({}, {}, { "current-context": "" })).server, "https://api.example:6443");
  });

  it("may have a context that names no user", async () => {
    const contexts = [{ name: "main", context: { cluster: "c" } }];
    assert.deepEqual(await read(config({}, {}, { contexts })).credentials.current(), {});
  });

  it("may be JSON", () => {
    assert.equal(read(JSON.stringify(config())).server, "https://api.example:6443");
  });

  it("leaves entries alone that nobody uses", () => {
    const users = [
      { name: "u", user: { token: TOKEN } },
      { name: "old", user: { exec: { apiVersion: "v1", command: "/bin/false" } } },
    ];
    assert.equal(read(config({}, {}, { users })).server, "https://api.example:6443");
  });

  it("is refused once its certificate has ended", () => {
    const clock = new ManualClock();
    clock.advance(Date.now() + 20 * 365 * 86_400_000 - clock.now());
    assert.throws(() => read(config({}, certificate), { clock }), {
      code: "KUBECONFIG_CERTIFICATE_EXPIRED",
      message: /kcp-system\/rt-1/,
    });
  });

  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "/bin/sh", args: ["-c", TOKEN] };
  const refused: readonly (readonly [
    string,
    object | string,
    { readonly code: string; readonly message: RegExp },
  ])[] = [
    ["exec", config({}, { exec }), unsupported("exec")],
    ["exec that is not valid", config({}, { exec: "/bin/sh" }), unsupported("exec")],
    ["auth-provider", config({}, { "auth-provider": { name: "oidc" } }), unsupported("auth-provider")],
    ["tokenFile", config({}, { tokenFile: "/var/run/secrets/token" }), unsupported("tokenFile")],
    [
      "tokenFile beside a token",
      config({}, { token: TOKEN, tokenFile: "/etc/passwd" }),
      unsupported("tokenFile"),
    ],
    [
      "a file with a certificate",
      config({}, { "client-certificate": "/a", "client-key": "/b" }),
      unsupported("client-certificate"),
    ],
    ["a file with a key", config({}, { ...certificate, "client-key": "/b" }), unsupported("client-key")],
    [
      "a file with the authority",
      config({ "certificate-authority": "/etc/passwd" }),
      unsupported("certificate-authority"),
    ],
    ["a proxy", config({ "proxy-url": "http://10.0.0.1:3128" }), unsupported("proxy-url")],
    ["http", config({ server: "http://api.example" }), invalid("https")],
    ["a file as server", config({ server: "file:///etc/passwd" }), invalid("https")],
    ["a user in the server", config({ server: `https://ada:${TOKEN}@api.example` }), invalid("user")],
    ["nothing", "", invalid("empty")],
    ["no YAML", `a: [${TOKEN}`, invalid("no YAML")],
    ["a list", "[1, 2]", invalid("no kubeconfig")],
    ["aliases", `a: &a [x]\nb: *a\n${stringify(config())}`, invalid("aliases")],
    ["depth", `a: ${"[".repeat(50_000)}`, invalid("no YAML")],
    [
      "size",
      `# ${"x".repeat(300_000)}
${stringify(config())}`,
      invalid("larger than 256 KiB"),
    ],
    [
      "a context that is not there",
      config({}, {}, { "current-context": "other" }),
      { code: "KUBECONFIG_UNKNOWN_CONTEXT", message: /kcp-system\/rt-1, key config/ },
    ],
    [
      "a cluster that is not there",
      config({}, {}, { clusters: [] }),
      { code: "KUBECONFIG_UNKNOWN_CLUSTER", message: /names a cluster that it does not have/ },
    ],
    [
      "a user that is not there",
      config({}, {}, { users: [{ name: "other", user: { token: TOKEN } }] }),
      { code: "KUBECONFIG_UNKNOWN_USER", message: /names a user that it does not have/ },
    ],
    [
      "a token that ends with a line break",
      config({}, { token: `${TOKEN}\n` }),
      invalid("token with a line break"),
    ],
    [
      "a token with letters of no header",
      config({}, { token: `${TOKEN}€` }),
      invalid("token with a line break"),
    ],
    [
      "a name to impersonate with a line break",
      config({}, { token: TOKEN, as: "ada\r\nx: y" }),
      invalid("impersonates"),
    ],
    [
      "an authority that is none",
      config({ "certificate-authority-data": base64("nothing") }),
      { code: "KUBECONFIG_CERTIFICATE_INVALID", message: /kcp-system\/rt-1/ },
    ],
  ];
  for (const [what, content, expected] of refused)
    it(`is refused with ${what}`, () => {
      assert.throws(
        () => read(content),
        (thrown) => {
          assert.ok(thrown instanceof KubeconfigError);
          assert.equal(thrown.code, expected.code);
          assert.match(thrown.message, expected.message);
          assert.ok(thrown.message.startsWith(where) || thrown.message.includes(where), thrown.message);
          assert.ok(!thrown.message.includes(TOKEN), "nothing of the text is told");
          return true;
        },
      );
    });

  it("leads through a proxy where that is allowed", () => {
    const { proxyUrl } = read(config({ "proxy-url": "http://10.0.0.1:3128" }), { allowProxy: true });
    assert.equal(proxyUrl, "http://10.0.0.1:3128");
  });

  it("gives a connection of text alone or a sentence, whatever stands there", () => {
    const part = fc.dictionary(
      fc.constantFrom(
        ...["server", "token", "tokenFile", "exec", "auth-provider", "client-key", "username", "password"],
        ...["certificate-authority", "certificate-authority-data", "proxy-url", "as", "__proto__"],
      ),
      fc.oneof(
        fc.string(),
        fc.constant("https://api.example"),
        fc.constant("/etc/passwd"),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    );
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.tuple(part, part).map(([cluster, user]) => stringify(config(cluster, user))),
      fc.tuple(fc.nat(2_000), fc.string({ maxLength: 3 })).map(([at, noise]) => {
        const whole = stringify(config());
        return whole.slice(0, at) + noise + whole.slice(at);
      }),
    );
    fc.assert(
      fc.property(text, (content) => {
        try {
          const { server, proxyUrl } = read(content);
          assert.equal(new URL(server).protocol, "https:");
          assert.equal(proxyUrl, undefined);
        } catch (thrown) {
          assert.ok(thrown instanceof KubeconfigError, String(thrown));
          assert.ok(thrown.message.includes(where), thrown.message);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function unsupported(field: string) {
  return { code: "KUBECONFIG_UNSUPPORTED", message: new RegExp(`the field ${field}\\b`) };
}
function invalid(word: string) {
  return { code: "KUBECONFIG_INVALID", message: new RegExp(word) };
}
