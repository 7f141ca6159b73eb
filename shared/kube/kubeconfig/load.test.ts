import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, test } from "vitest";
import { stringify } from "yaml";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { createAuthority } from "../../tls/index.ts";
import { KubeconfigError } from "./errors.ts";
import { type LoadOptions, loadConnection } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
/** Writes a file into a folder of its own. */
function file(name: string, content: unknown): string {
  const own = join(folder, String(count++));
  mkdirSync(own);
  return beside(join(own, name), name, content);
}
function beside(other: string, name: string, content: unknown): string {
  const path = join(other, "..", name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : stringify(content));
  return path;
}

const authority = createAuthority();
const client = authority.issue({ commonName: "ada" });
const other = authority.issue({ commonName: "other" });
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const ca = { "certificate-authority-data": base64(authority.certificate) };
const pair = { "client-certificate-data": base64(client.certificate), "client-key-data": base64(client.key) };

const config = (cluster: object, user: object, context: object = {}): object => ({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "main",
  contexts: [{ name: "main", context: { cluster: "c", user: "u", ...context } }],
  clusters: [{ name: "c", cluster: { server: "https://api.example:6443", ...cluster } }],
  users: [{ name: "u", user }],
});
const load = (content: unknown, options: LoadOptions = {}) =>
  loadConnection({ file: file("config", content), ...options });
const credential = async (content: unknown): Promise<object> => await load(content).credentials.current();

test("every form of server and authority", () => {
  const caFile = config({ "certificate-authority": "pki/ca.pem" }, {});
  const path = file("config", caFile);
  beside(path, "pki/ca.pem", authority.certificate);
  assert.equal(
    loadConnection({ file: path }).tls.ca,
    authority.certificate,
    "a relative path starts at the kubeconfig",
  );
  assert.equal(load(config(ca, {})).tls.ca, authority.certificate);
  assert.equal(
    load(config({ ...ca, "certificate-authority": "/nowhere" }, {})).tls.ca,
    authority.certificate,
    "data goes before the file",
  );
  assert.equal(load(config({}, {})).tls.ca, undefined);
  assert.equal(load(config({ "insecure-skip-tls-verify": true }, {})).tls.insecure, true);
  assert.equal(load(config({ "tls-server-name": "inner" }, {})).tls.serverName, "inner");
  assert.equal(load(config({ "proxy-url": "http://proxy:3128" }, {})).proxyUrl, "http://proxy:3128");
  assert.equal(load(config({ server: "api.example:6443" }, {})).server, "http://api.example:6443");
  assert.equal(load(config({ server: "api.example:6443", ...ca }, {})).server, "https://api.example:6443");
  assert.equal(
    load(config({ server: "https://api.example/k8s/clusters/c-1/" }, {})).server,
    "https://api.example/k8s/clusters/c-1",
  );
  assert.equal(load(JSON.stringify(config({}, {}))).server, "https://api.example:6443", "JSON is YAML");
});

test("every form of credentials that lies in the file", async () => {
  assert.deepEqual(await credential(config({}, { token: "t" })), { authorization: "Bearer t" });
  assert.deepEqual(await credential(config({}, { username: "ada", password: "päss" })), {
    authorization: `Basic ${base64("ada:päss")}`,
  });
  assert.deepEqual(await credential(config({}, {})), {});
  assert.deepEqual(load(config(ca, pair)).tls, {
    ca: authority.certificate,
    certificate: client.certificate,
    key: client.key,
    serverName: undefined,
    insecure: false,
  });
  const path = file(
    "config",
    config({}, { "client-certificate": "a.pem", "client-key": "a.key", token: "t" }),
  );
  beside(path, "a.pem", client.certificate);
  beside(path, "a.key", client.key);
  const both = loadConnection({ file: path });
  assert.equal(both.tls.key, client.key);
  assert.deepEqual(await both.credentials.current(), { authorization: "Bearer t" });
  assert.deepEqual(
    load(
      config(
        {},
        { as: "bob", "as-uid": "7", "as-groups": ["a", "b"], "as-user-extra": { "Acme.io/x": ["1"] } },
      ),
    ).headers,
    {
      "Impersonate-User": "bob",
      "Impersonate-Uid": "7",
      "Impersonate-Group": ["a", "b"],
      "Impersonate-Extra-Acme.io%2Fx": ["1"],
    },
  );
});

test("a token file beats the token and is read again when it rotates", () => {
  const clock = new ManualClock();
  const path = file("config", config({}, { tokenFile: "token", token: "old" }));
  const tokenFile = beside(path, "token", "one\n");
  const { credentials } = loadConnection({ file: path, clock });
  assert.deepEqual(credentials.current(), { authorization: "Bearer one" });
  writeFileSync(tokenFile, "two\n");
  assert.deepEqual(credentials.current(), { authorization: "Bearer one" }, "within a second it is not read");
  clock.advance(1000);
  assert.deepEqual(credentials.current(), { authorization: "Bearer two" });
  assert.equal(credentials.refused(), false, "asking again would send the same");
  writeFileSync(tokenFile, "three");
  assert.equal(credentials.refused(), true);
  assert.deepEqual(credentials.current(), { authorization: "Bearer three" });
});

test("the context is chosen by name, its namespace is the default", () => {
  const two = {
    "current-context": "a",
    contexts: [
      { name: "a", context: { cluster: "c1", user: "u", namespace: "team" } },
      { name: "b", context: { cluster: "c2" } },
    ],
    clusters: [
      { name: "c1", cluster: { server: "https://one" } },
      { name: "c2", cluster: { server: "https://two" } },
      { name: "broken" },
    ],
    users: [{ name: "u", user: { token: "t" } }],
  };
  const [a, b] = [load(two), load(two, { context: "b" })];
  assert.deepEqual([a.server, a.namespace, a.context, a.cluster], ["https://one", "team", "a", "c1"]);
  assert.deepEqual([b.server, b.namespace, b.context], ["https://two", "default", "b"]);
  assert.equal(load(two, { namespace: "mine" }).namespace, "mine");
});

test("KUBECONFIG lists files: the first to name something counts, absent ones are passed over", () => {
  const first = file("one", {
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: "https://first", "certificate-authority": "ca.pem" } }],
  });
  beside(first, "ca.pem", authority.certificate);
  const second = file("two", {
    "current-context": "x",
    clusters: [{ name: "c", cluster: { server: "https://second" } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
  const merged = loadConnection({
    environment: { KUBECONFIG: [join(folder, "absent"), first, second, first].join(delimiter) },
  });
  assert.equal(merged.server, "https://first");
  assert.equal(merged.tls.ca, authority.certificate);
  assert.deepEqual(merged.credentials.current(), { authorization: "Bearer t" });
  assert.deepEqual(merged.files, [first, second]);
});

test("without KUBECONFIG the home directory counts, then the Pod's service account", () => {
  const home = join(folder, "home");
  beside(join(home, "x"), ".kube/config", config({}, { token: "home" }));
  assert.deepEqual(loadConnection({ environment: {}, homeDirectory: home }).credentials.current(), {
    authorization: "Bearer home",
  });
  const token = file("token", "pod");
  beside(token, "ca.crt", authority.certificate);
  beside(token, "namespace", "mine");
  const environment = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const pod = loadConnection({
    environment,
    homeDirectory: join(folder, "nobody"),
    serviceAccountFolder: join(token, ".."),
  });
  assert.deepEqual(
    [pod.server, pod.namespace, pod.tls.ca, pod.context],
    ["https://[fd00::1]:443", "mine", authority.certificate, undefined],
  );
  assert.deepEqual(pod.credentials.current(), { authorization: "Bearer pod" });
});

test("what is wrong is said in one sentence that tells what to do", () => {
  const expired = authority.issue({
    commonName: "x",
    notBefore: Date.parse("2020-01-01"),
    notAfter: Date.parse("2021-01-01"),
  });
  const future = authority.issue({
    commonName: "x",
    notBefore: Date.parse("2090-01-01"),
    notAfter: Date.parse("2091-01-01"),
  });
  const certificate = (from: { certificate: string; key: string }): object => ({
    "client-certificate-data": base64(from.certificate),
    "client-key-data": base64(from.key),
  });
  const exec = (more: object): object => ({
    exec: { apiVersion: "client.authentication.k8s.io/v1", command: "x", interactiveMode: "Never", ...more },
  });
  const table: readonly [unknown, string, RegExp][] = [
    ["a: [b", "KUBECONFIG_INVALID", /is no YAML/],
    ["just text", "KUBECONFIG_INVALID", /not valid: it: /],
    [{ clusters: { c: 1 } }, "KUBECONFIG_INVALID", /clusters: /],
    [{ kind: "Pod" }, "KUBECONFIG_INVALID", /kind: /],
    ["", "KUBECONFIG_NO_CONTEXT", /use-context/],
    [
      { ...config({}, {}), "current-context": "nope" },
      "KUBECONFIG_UNKNOWN_CONTEXT",
      /"nope": choose one of main/,
    ],
    [config({}, {}, { cluster: "nope" }), "KUBECONFIG_UNKNOWN_CLUSTER", /choose one of c$/],
    [config({}, {}, { user: "nope" }), "KUBECONFIG_UNKNOWN_USER", /choose one of u$/],
    [config({ server: "" }, {}), "KUBECONFIG_INVALID", /server: /],
    [config({ server: "ftp://x" }, {}), "KUBECONFIG_INVALID", /no http or https address/],
    [
      config({ "certificate-authority": "absent.pem" }, {}),
      "KUBECONFIG_UNREADABLE",
      /absent.pem does not exist/,
    ],
    [
      config({ "certificate-authority-data": base64("garbage") }, {}),
      "KUBECONFIG_CERTIFICATE_INVALID",
      /certificate authority/,
    ],
    [config({ ...ca, "insecure-skip-tls-verify": true }, {}), "KUBECONFIG_INVALID", /remove one/],
    [config({ "proxy-url": "socks5://p:1080" }, {}), "KUBECONFIG_UNSUPPORTED", /socks5/],
    [
      config({}, { "client-certificate-data": base64(client.certificate) }),
      "KUBECONFIG_INVALID",
      /without its key/,
    ],
    [
      config({}, certificate({ certificate: client.certificate, key: other.key })),
      "KUBECONFIG_CERTIFICATE_INVALID",
      /does not belong/,
    ],
    [
      config({}, certificate(expired)),
      "KUBECONFIG_CERTIFICATE_EXPIRED",
      /expired on 2021-01-01T00:00:00.000Z: renew it/,
    ],
    [config({}, certificate(future)), "KUBECONFIG_CERTIFICATE_EXPIRED", /holds only from 2090/],
    [config({}, { tokenFile: "absent" }), "KUBECONFIG_UNREADABLE", /token file/],
    [config({}, { token: "t", username: "u" }), "KUBECONFIG_INVALID", /keep one/],
    [config({}, { "as-groups": ["a"] }), "KUBECONFIG_INVALID", /set `as`/],
    [config({}, { "auth-provider": { name: "gcp" } }), "KUBECONFIG_UNSUPPORTED", /gcp/],
    [config({}, exec({ interactiveMode: undefined })), "KUBECONFIG_INVALID", /interactiveMode is required/],
    [config({}, exec({ interactiveMode: "Always" })), "KUBECONFIG_UNSUPPORTED", /terminal/],
    [
      config({}, exec({ apiVersion: "client.authentication.k8s.io/v1alpha1" })),
      "KUBECONFIG_INVALID",
      /v1alpha1/,
    ],
  ];
  for (const [content, code, message] of table) {
    assert.throws(
      () => load(content),
      (error: unknown) =>
        error instanceof KubeconfigError && error.code === code && message.test(error.message),
      `${code} ${message} of ${JSON.stringify(content)}`,
    );
  }
  const code = (expected: string) => (error: unknown) =>
    error instanceof KubeconfigError && error.code === expected;
  assert.throws(() => loadConnection({ file: join(folder, "absent") }), code("KUBECONFIG_NOT_FOUND"));
  assert.throws(
    () => loadConnection({ environment: { KUBECONFIG: join(folder, "absent") } }),
    code("KUBECONFIG_NOT_FOUND"),
  );
  assert.throws(
    () => loadConnection({ environment: {}, homeDirectory: join(folder, "nobody") }),
    code("KUBECONFIG_NOT_FOUND"),
  );
  assert.throws(() => loadConnection({ file: folder }), code("KUBECONFIG_UNREADABLE"));
});

test("a kubeconfig that may not be read says so", {
  skip: process.getuid?.() === 0,
}, () => {
  const path = file("config", config({}, {}));
  chmodSync(path, 0);
  assert.throws(() => loadConnection({ file: path }), /cannot be read .*: check its permissions/);
});
