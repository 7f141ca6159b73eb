import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { test } from "vitest";
import { createAuthority } from "./authority.ts";
import { extension, ids, nameOf, signed } from "./certificate.ts";
import * as der from "./der.ts";
import { certificatesIn, commonNameOf, isIssuedBy } from "./trust.ts";

const now = Date.parse("2026-01-15T10:00:00Z");
const hour = 3_600_000;
const read = (pem: string): X509Certificate => new X509Certificate(pem);
const authority = createAuthority({ notBefore: now - hour, notAfter: now + 10 * hour });
const trusted = certificatesIn(`a note\n${authority.certificate}`);

test("a certificate is trusted while it and its issuer hold", () => {
  const { certificate } = authority.issue({ commonName: "a", notBefore: now, notAfter: now + hour });
  const trustedAt = (time: number): boolean => isIssuedBy(read(certificate), trusted, time);
  assert.deepEqual([now - 1_000, now, now + hour, now + hour + 1_000].map(trustedAt), [
    false,
    true,
    true,
    false,
  ]);
  const outlives = authority.issue({ commonName: "a", notBefore: now, notAfter: now + 100 * hour });
  assert.equal(isIssuedBy(read(outlives.certificate), trusted, now + 11 * hour), false);
});

test("nobody else's certificate is trusted, nor one for servers alone", () => {
  const times = { notBefore: now - hour, notAfter: now + hour };
  const forged = createAuthority(times).issue({ commonName: "a", ...times });
  assert.equal(isIssuedBy(read(forged.certificate), trusted, now), false);
  // Issued by a certificate that may issue nothing, however trusted.
  const leaf = authority.issue({ commonName: "a", ...times });
  assert.equal(isIssuedBy(read(leaf.certificate), [read(leaf.certificate)], now), false);
  const server = authority.issue({ commonName: "a", serverNames: ["a.example.org"], ...times });
  assert.equal(isIssuedBy(read(server.certificate), trusted, now), false);
});

test("a certificate for any use proves a client too", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = (commonName: string): Buffer => nameOf({ commonName });
  const times = { notBefore: now - hour, notAfter: now + hour };
  const issuer = name("others");
  const issued = (subject: Buffer, extensions: readonly Buffer[]): X509Certificate =>
    read(signed({ issuer, subject, publicKey, ...times, extensions }, privateKey));
  const root = issued(issuer, [extension(ids.basicConstraints, true, der.sequence(der.boolean(true)))]);
  const usable = (use: string): boolean =>
    isIssuedBy(
      issued(name("a"), [extension(ids.extendedKeyUsage, false, der.sequence(der.oid(use)))]),
      [root],
      now,
    );
  assert.deepEqual([ids.anyUse, ids.clientAuth, ids.serverAuth].map(usable), [true, true, false]);
});

test("a block that is no certificate leaves the others of a bundle trusted", () => {
  const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  const [only, ...rest] = certificatesIn(`${broken}${authority.certificate}${broken}`);
  assert.equal(only?.fingerprint256, read(authority.certificate).fingerprint256);
  assert.deepEqual(rest, []);
});

test("a subject without a common name has none", () => {
  const named = authority.issue({ commonName: "runtime" });
  assert.equal(commonNameOf(read(named.certificate)), "runtime");
  assert.equal(commonNameOf(read(authority.issue({ commonName: "" }).certificate)), undefined);
});

test("the first question for a common name leaves a process able to speak TLS", () => {
  const { certificate } = createAuthority({ notBefore: 0, notAfter: Date.now() + 60_000 });
  const program = `
    import { certificateOf, commonNameOf } from ${JSON.stringify(import.meta.resolve("./index.ts"))};
    commonNameOf(certificateOf(${JSON.stringify(certificate)}));
    console.log(typeof process.getBuiltinModule("node:tls").createSecureContext);
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  assert.equal(stdout.trim(), "function");
});
