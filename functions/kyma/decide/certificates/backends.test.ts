import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Obj } from "../../../../shared/function/index.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { createAuthority } from "../../../../shared/tls/index.ts";
import { Kyma } from "../../kinds/index.ts";
import { type Backend, describedFor, describedWait, isOfBefore, madeAnew } from "./index.ts";

const NOW = Date.parse("2026-01-15T10:00:00Z");
const metadata = { name: "rt-1", namespace: "kcp-system", uid: "u", resourceVersion: "1" };
const self: Obj<typeof Kyma> = parseObject(Kyma, {
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind: "Kyma",
  metadata,
  spec: { channel: "regular" },
});
const subject = { commonName: "runtime-1", dnsNames: ["rt-1.example.org"] };
const described = (backend: Backend, renew = false) => {
  const { plan } = describedFor(self, subject, { backend, issuer: "klm", renew });
  assert.ok(plan.effect === "apply");
  return plan.body;
};

describe("a certificate that others make", () => {
  it("is described as cert-manager and Gardener read it", () => {
    const { apiVersion, metadata: named, spec } = described("certManager");
    assert.deepEqual([apiVersion, named.name], ["cert-manager.io/v1", "rt-1-webhook-tls"]);
    assert.deepEqual(spec, {
      ...subject,
      duration: "1440h",
      renewBefore: "720h",
      secretName: "rt-1-webhook-tls",
      issuerRef: { name: "klm", kind: "Issuer" },
      privateKey: { algorithm: "RSA", encoding: "PKCS1", rotationPolicy: "Always", size: 4096 },
      usages: ["digital signature", "key encipherment", "server auth", "client auth"],
    });
    const gardener = described("gardener");
    assert.deepEqual(gardener.spec, {
      ...subject,
      duration: "1440h",
      secretRef: { name: "rt-1-webhook-tls", namespace: "kcp-system" },
      issuerRef: { name: "klm", namespace: "kcp-system" },
      privateKey: { algorithm: "RSA", size: 4096 },
    });
    assert.equal(describedWait(self, "gardener").object?.apiVersion, gardener.apiVersion);
  });

  it("is made anew after another authority came, once, and when its turn is there", () => {
    const authority = createAuthority();
    const of = (notBefore: number): string => authority.issue({ commonName: "a", notBefore }).certificate;
    const [old, young] = [of(NOW - 3_600_000), of(NOW + 1_000)];
    const newest = createAuthority();
    const known = { authority: newest.certificate, addedAt: NOW, after: 60_000 };
    assert.equal(isOfBefore(old, { ...known, now: NOW + 59_000 }), false, "its turn is yet to come");
    assert.equal(isOfBefore(old, { ...known, now: NOW + 60_000 }), true);
    assert.equal(isOfBefore(young, { ...known, now: NOW + 60_000 }), false);
    assert.equal(isOfBefore(old, { ...known, addedAt: undefined, now: NOW + 60_000 }), false);
    const datedBack = newest.issue({ commonName: "a", notBefore: NOW - 3_600_000 }).certificate;
    assert.equal(isOfBefore(datedBack, { ...known, now: NOW + 60_000 }), false, "the newest issued it");
    const secret = parseObject(Secret, { apiVersion: "v1", kind: "Secret", metadata });
    assert.match(JSON.stringify(madeAnew("certManager", secret)), /"effect":"remove"/);
    assert.deepEqual(madeAnew("gardener", secret), []);
    assert.deepEqual(described("gardener", true).spec, {
      ...(described("gardener").spec as object),
      renew: true,
    });
  });
});
