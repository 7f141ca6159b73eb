import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { it } from "vitest";
import { builtInIssuer } from "./adapters/index.ts";

it("issues certificates of RSA keys for both sides, for the time and names that are asked", async () => {
  const issuer = builtInIssuer(2048);
  const [notBefore, notAfter] = [Date.parse("2026-01-15T10:00:00Z"), Date.parse("2026-03-15T10:00:00Z")];
  const authority = await issuer.authority({ commonName: "klm-watcher", notBefore, notAfter });
  const dnsNames = ["rt-1.example.org", "skr-webhook.kyma-system.svc"];
  const issued = await issuer.issue({ authority, commonName: "rt-1", dnsNames, notBefore, notAfter });
  const [root, leaf] = [new X509Certificate(authority.certificate), new X509Certificate(issued.certificate)];
  assert.ok(leaf.checkIssued(root) && leaf.verify(root.publicKey) && root.ca && !leaf.ca);
  assert.deepEqual(leaf.publicKey.asymmetricKeyDetails?.modulusLength, 2048);
  assert.deepEqual(
    [leaf.validFromDate.getTime(), leaf.validToDate.getTime(), leaf.keyUsage.length],
    [notBefore, notAfter, 2],
  );
  for (const name of dnsNames) assert.ok(leaf.checkHost(name));
  assert.match(issued.key, /BEGIN PRIVATE KEY/);
});
