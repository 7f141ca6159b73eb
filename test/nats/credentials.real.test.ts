import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { afterAll, describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { changed, done, route } from "../bus-contract/fixture.ts";

const { createAccount, createOperator, createUser } = nkeys;
type KeyPair = ReturnType<typeof createUser>;
const folder = mkdtempSync(join(tmpdir(), "nats-credentials-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const seedOf = (pair: KeyPair): string => new TextDecoder().decode(pair.getSeed());

/** A bus that works with these settings, from a server with this configuration; with others it is refused. */
async function opens(
  configuration: string,
  right: Record<string, unknown>,
  wrong: Record<string, unknown>,
): Promise<void> {
  const server = await startNatsServer({ configuration, waits: false });
  const open = (credentials: Record<string, unknown>): Promise<NatsBus> =>
    openNatsBus({
      nats: natsOptions.parse({ servers: [server.url], maximumBytes: 16_777_216, ...credentials }),
      functions: ["widget"],
      route,
    });
  try {
    const bus = await eventually("the server takes the credentials", async () => {
      try {
        return await open(right);
      } catch (thrown) {
        // It is still starting.
        lastFault = thrown;
        return undefined;
      }
    }).catch((thrown: unknown) => {
      throw new Error(String(thrown), { cause: lastFault });
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    bus.consume({ parallel: 1 }, async ({ item }) => {
      resolve();
      return done(item);
    });
    await bus.publish([changed("a")]);
    await promise;
    await bus.close();
    await assert.rejects(open(wrong), { code: "BUS_UNREACHABLE" });
  } finally {
    await server.stop();
  }
}
let lastFault: unknown;

/** A JWT as NATS wants them: signed by an nkey, its id the hash of its claims. */
function jwtOf(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name,
    sub: subject.getPublicKey(),
    nats,
  };
  const jti = createHash("sha256").update(JSON.stringify(claims)).digest("base64url");
  const unsigned = `${encode({ typ: "JWT", alg: "ed25519-nkey" })}.${encode({ jti, ...claims })}`;
  return `${unsigned}.${Buffer.from(issuer.sign(new TextEncoder().encode(unsigned))).toString("base64url")}`;
}

describe("credentials on a real server", { skip: skipWithoutNats() !== false }, () => {
  test("user and password", () =>
    opens(
      'authorization { user: "ada", password: "secret" }',
      { user: "ada", password: "secret" },
      { user: "ada", password: "wrong" },
    ));

  test("a token", () => opens('authorization { token: "secret" }', { token: "secret" }, { token: "wrong" }));

  test("an nkey", () => {
    const user = createUser();
    return opens(
      `authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`,
      { nkey: `${seedOf(user)}\n` },
      { nkey: seedOf(createUser()) },
    );
  });

  test("a credentials file, read again at each connect", async () => {
    const [operator, account, user, stranger] = [
      createOperator(),
      createAccount(),
      createUser(),
      createUser(),
    ];
    const limits = { subs: -1, data: -1, payload: -1 };
    const system = createAccount();
    const accountOf = (pair: KeyPair, name: string, disk: number): string =>
      `${pair.getPublicKey()}: ${jwtOf(operator, pair, name, {
        limits: {
          ...limits,
          imports: -1,
          exports: -1,
          wildcards: true,
          conn: -1,
          leaf: -1,
          mem_storage: disk,
          disk_storage: disk,
          streams: disk,
          consumer: disk,
        },
        default_permissions: { pub: {}, sub: {} },
        type: "account",
        version: 2,
      })}`;
    const credentialsOf = (pair: KeyPair, signer: KeyPair): string => {
      const jwt = jwtOf(signer, pair, "worker", { pub: {}, sub: {}, ...limits, type: "user", version: 2 });
      return `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seedOf(pair)}\n------END USER NKEY SEED------\n`;
    };
    const [good, bad] = [join(folder, "good.creds"), join(folder, "bad.creds")];
    writeFileSync(good, credentialsOf(user, account));
    writeFileSync(bad, credentialsOf(stranger, createAccount()));
    const operatorJwt = jwtOf(operator, operator, "operator", { type: "operator", version: 2 });
    await opens(
      `operator: ${operatorJwt}\nresolver: MEMORY\nsystem_account: ${system.getPublicKey()}\nresolver_preload: { ${accountOf(account, "team", -1)}, ${accountOf(system, "system", 0)} }`,
      { credentialsFile: good },
      { credentialsFile: bad },
    );
  });

  test("TLS, with the client's certificate", async () => {
    const file = (name: string): string => join(folder, name);
    const openssl = (...args: readonly string[]): void => {
      execFileSync("openssl", [...args], { stdio: "pipe" });
    };
    openssl(
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=authority",
      "-keyout",
      file("ca.key"),
      "-out",
      file("ca.crt"),
    );
    for (const name of ["server", "client"]) {
      openssl(
        "req",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-subj",
        `/CN=${name}`,
        "-keyout",
        file(`${name}.key`),
        "-out",
        file(`${name}.csr`),
      );
      writeFileSync(file("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
      openssl(
        "x509",
        "-req",
        "-days",
        "2",
        "-in",
        file(`${name}.csr`),
        "-CA",
        file("ca.crt"),
        "-CAkey",
        file("ca.key"),
        "-CAcreateserial",
        "-extfile",
        file("names"),
        "-out",
        file(`${name}.crt`),
      );
    }
    assert.ok(readFileSync(file("client.crt"), "utf8").includes("BEGIN CERTIFICATE"));
    await opens(
      `tls { cert_file: ${JSON.stringify(file("server.crt"))}, key_file: ${JSON.stringify(file("server.key"))}, ca_file: ${JSON.stringify(file("ca.crt"))}, verify: true }`,
      { tls: { ca: file("ca.crt"), certificate: file("client.crt"), key: file("client.key") } },
      { tls: { ca: file("ca.crt") } },
    );
  });
});
