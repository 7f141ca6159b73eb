import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { createAuthority } from "../../tls/index.ts";
import type { Credentials } from "../http/connection.ts";
import { loadConnection } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "kubeconfig-exec-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const v1 = "client.authentication.k8s.io/v1";
const authority = createAuthority();
const runs = join(folder, "runs");

/** A plugin that notes what it was told, and answers with `status`; `%n` stands for the number of the run. */
function plugin(name: string, answer: object | string): string {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  writeFileSync(
    join(folder, name),
    `#!${process.execPath}
const fs = require("node:fs");
fs.appendFileSync(${JSON.stringify(runs)}, JSON.stringify({ info: JSON.parse(process.env.KUBERNETES_EXEC_INFO), args: process.argv.slice(2), mine: process.env.MINE }) + "\\n");
const text = ${JSON.stringify(text)};
if (text.startsWith("!")) { process.stderr.write(text.slice(1)); process.exit(3); }
process.stdout.write(text.replace("%n", String(fs.readFileSync(${JSON.stringify(runs)}, "utf8").trim().split("\\n").length)));
`,
    { mode: 0o755 },
  );
  return `./${name}`;
}
const answer = (status: object, apiVersion = v1): object => ({ kind: "ExecCredential", apiVersion, status });

function credentials(user: object, clock = new ManualClock()): Credentials {
  rmSync(runs, { force: true });
  const file = join(folder, "config");
  writeFileSync(
    file,
    JSON.stringify({
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      clusters: [
        {
          name: "c",
          cluster: {
            server: "https://api:1",
            "certificate-authority-data": Buffer.from(authority.certificate).toString("base64"),
          },
        },
      ],
      users: [{ name: "u", user }],
    }),
  );
  return loadConnection({ file, clock }).credentials;
}
const exec = (command: string, more: object = {}): object => ({
  exec: { apiVersion: v1, command, interactiveMode: "IfAvailable", ...more },
});
const said = (): { info: { spec: object }; args: string[]; mine?: string }[] =>
  readFileSync(runs, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a plugin is run when it is needed, with the cluster where it asks for it, once for all who wait", async () => {
  const command = plugin("good", answer({ token: "t%n" }));
  const source = credentials(
    exec(command, { args: ["login"], env: [{ name: "MINE", value: "yes" }], provideClusterInfo: true }),
  );
  const all = await Promise.all([source.current(), source.current(), source.current()]);
  assert.deepEqual(all, Array(3).fill({ authorization: "Bearer t1" }));
  assert.deepEqual(source.current(), { authorization: "Bearer t1" });
  assert.deepEqual(said(), [
    {
      info: {
        apiVersion: v1,
        kind: "ExecCredential",
        spec: {
          interactive: false,
          cluster: {
            server: "https://api:1",
            "certificate-authority-data": Buffer.from(authority.certificate).toString("base64"),
          },
        },
      },
      args: ["login"],
      mine: "yes",
    },
  ]);
});

test("a credential is kept until it expires or is refused", async () => {
  const clock = new ManualClock();
  const command = plugin(
    "short",
    answer({ token: "t%n", expirationTimestamp: new Date(clock.now() + 60_000).toISOString() }),
  );
  const source = credentials(exec(command), clock);
  assert.deepEqual(await source.current(), { authorization: "Bearer t1" });
  clock.advance(59_999);
  assert.deepEqual(await source.current(), { authorization: "Bearer t1" });
  clock.advance(1);
  assert.deepEqual(await source.current(), { authorization: "Bearer t2" });

  const lasting = credentials(exec(plugin("lasting", answer({ token: "t%n" }))));
  await lasting.current();
  assert.equal(lasting.refused(), true);
  assert.deepEqual(await lasting.current(), { authorization: "Bearer t2" });
});

test("a plugin may give a client certificate", async () => {
  const { certificate, key } = authority.issue({ commonName: "ada" });
  const source = credentials(
    exec(plugin("certificate", answer({ clientCertificateData: certificate, clientKeyData: key }))),
  );
  assert.deepEqual(await source.current(), { certificate, key });
});

test("what a plugin does wrong is said", async () => {
  const table: readonly [string, object, RegExp][] = [
    [plugin("fails", "!no session"), {}, /failed \(no session\): run it by hand/],
    [plugin("text", "a-secret"), {}, /gave no valid ExecCredential/],
    [plugin("silent", "!"), {}, /failed \(it ended with 3\): run it by hand/],
    [plugin("long", "x".repeat(1_100_000)), {}, /more than a credential/],
    [plugin("empty", answer({})), {}, /neither token nor clientCertificateData/],
    [
      plugin("older", answer({ token: "t" }, "client.authentication.k8s.io/v1beta1")),
      {},
      /answered in .*v1beta1, asked was .*v1/,
    ],
    ["./absent", { installHint: "Install it from example.org" }, /ENOENT.*Install it from example.org$/],
  ];
  for (const [command, more, message] of table) {
    const source = credentials(exec(command, more));
    await assert.rejects(
      async () => await source.current(),
      (error: { code?: string; message?: string }) =>
        error.code === "KUBECONFIG_EXEC_FAILED" &&
        message.test(error.message ?? "") &&
        !error.message?.includes("a-secret"),
      String(message),
    );
  }
});

test("a plugin that does not end is given up, and run anew for whoever asks next", async () => {
  const clock = new ManualClock();
  const flag = join(folder, "flag");
  writeFileSync(
    join(folder, "stuck"),
    `#!${process.execPath}
const fs = require("node:fs");
fs.appendFileSync(${JSON.stringify(runs)}, "{}\\n");
if (fs.existsSync(${JSON.stringify(flag)})) process.stdout.write(${JSON.stringify(JSON.stringify(answer({ token: "t" })))});
else setInterval(() => undefined, 1_000);
`,
    { mode: 0o755 },
  );
  const source = credentials(exec("./stuck"), clock);
  const first = Promise.resolve(source.current());
  const given = assert.rejects(first, /stuck failed \(it has not ended after 60 s\): run it by hand/);
  await eventually("the plugin to have begun", () => existsSync(runs));
  await clock.advance(59_999);
  await clock.advance(1);
  await given;
  writeFileSync(flag, "");
  assert.deepEqual(await source.current(), { authorization: "Bearer t" });
});

const jwt = (claims: object): string =>
  [{ alg: "none" }, claims, "x"]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");

test("an OIDC token is sent while it holds, and its end without a refresh token is said", async () => {
  const clock = new ManualClock(Date.now());
  const token = jwt({ exp: Math.floor(Date.now() / 1000) + 3600 });
  const provider = (config: object): object => ({ "auth-provider": { name: "oidc", config } });
  const source = credentials(provider({ "id-token": token }), clock);
  assert.deepEqual(await source.current(), { authorization: `Bearer ${token}` });
  const expired = credentials(provider({ "id-token": jwt({ exp: 1000 }) }), clock);
  await assert.rejects(async () => await expired.current(), { code: "KUBECONFIG_OIDC_FAILED" });
});
