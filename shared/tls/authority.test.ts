import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import * as tls from "node:tls";
import { test } from "vitest";
import { type Authority, createAuthority, loadAuthority, type Pair, rsaKeys } from "./authority.ts";
import { extension, ids, nameOf, signed } from "./certificate.ts";
import * as der from "./der.ts";

async function handshake(
  authority: Authority,
  server: Pair,
  client: Pair,
  servername: string,
): Promise<{ readonly trusted: boolean; readonly subject: tls.PeerCertificate["subject"] }> {
  const listener = tls.createServer({
    key: server.key,
    cert: server.certificate,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  assert.ok(address !== null && typeof address === "object");
  const seen = once(listener, "secureConnection") as Promise<[tls.TLSSocket]>;
  const socket = tls.connect({
    host: "127.0.0.1",
    port: address.port,
    ca: authority.certificate,
    key: client.key,
    cert: client.certificate,
    servername,
  });
  try {
    await once(socket, "secureConnect");
    const [peer] = await seen;
    const subject = peer.getPeerCertificate().subject;
    peer.destroy();
    return { trusted: socket.authorized, subject };
  } finally {
    socket.destroy();
    listener.close();
  }
}

test("a client and a server with certificates of one authority trust each other", async () => {
  const authority = createAuthority();
  const server = authority.issue({
    commonName: "api",
    serverNames: ["localhost", "127.0.0.1", "::1", "2001:db8::7"],
  });
  const client = authority.issue({ commonName: "ada", organizations: ["system:masters", "engineers"] });
  const { trusted, subject } = await handshake(authority, server, client, "localhost");
  assert.equal(trusted, true);
  assert.equal(subject.CN, "ada");
  assert.deepEqual(subject.O, ["system:masters", "engineers"]);
  const seen = new X509Certificate(server.certificate);
  assert.ok(
    seen.checkIP("127.0.0.1") &&
      seen.checkIP("::1") &&
      seen.checkIP("2001:db8::7") &&
      seen.checkHost("localhost"),
  );
  assert.equal(seen.checkHost("elsewhere"), undefined);
});

test("a loaded authority issues what the first one's holders trust", () => {
  const first = createAuthority();
  const again = loadAuthority({ certificate: first.certificate, key: first.key });
  const issued = new X509Certificate(
    again.issue({ commonName: "x", notAfter: Date.parse("2061-02-03T04:05:06Z") }).certificate,
  );
  const root = new X509Certificate(first.certificate);
  assert.equal(issued.verify(root.publicKey), true);
  assert.equal(issued.checkIssued(root), true);
  assert.equal(issued.validToDate.toISOString(), "2061-02-03T04:05:06.000Z");
  assert.equal(root.ca, true);
  assert.equal(issued.ca, false);
});

test("an authority that others made issues what its holders trust", async () => {
  const authority = loadAuthority(madeByOthers());
  const both = authority.issue({ commonName: "rt-1", serverNames: ["localhost"], client: true });
  assert.ok(new X509Certificate(both.certificate).checkIssued(new X509Certificate(authority.certificate)));
  const { trusted } = await handshake(authority, both, both, "localhost");
  assert.equal(trusted, true);
});

/** An authority whose key has an identifier that is computed in another way than ours (RFC 7093), as cert-manager's have. */
function madeByOthers(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = nameOf({ commonName: "klm-watcher", organizations: ["others"] });
  const identifier = createHash("sha256").update(publicKey.export({ type: "spki", format: "der" }));
  const certificate = signed(
    {
      issuer: name,
      subject: name,
      publicKey,
      notBefore: Date.now() - 3_600_000,
      notAfter: Date.now() + 3_600_000,
      extensions: [
        extension(ids.basicConstraints, true, der.sequence(der.boolean(true))),
        extension(ids.subjectKey, false, der.octets(identifier.digest().subarray(0, 20))),
      ],
    },
    privateKey,
  );
  return { certificate, key: privateKey.export({ type: "sec1", format: "pem" }).toString() };
}

test("an authority's key that belongs to another certificate is refused", () => {
  const [one, other] = [createAuthority(), createAuthority()];
  assert.throws(() => loadAuthority({ certificate: one.certificate, key: other.key }), /does not belong/);
  assert.equal(
    new X509Certificate(one.issue({ commonName: "x" }).certificate).checkIssued(
      new X509Certificate(other.certificate),
    ),
    false,
  );
});

test("RSA keys of an authority and of what it issues are trusted as well, for servers and clients at once", async () => {
  const [own, theirs] = await Promise.all([rsaKeys(2048), rsaKeys(2048)]);
  const authority = createAuthority({ keys: own });
  const both = authority.certify({ commonName: "rt-1", serverNames: ["localhost"], client: true }, theirs);
  const { trusted, subject } = await handshake(authority, both, both, "localhost");
  assert.deepEqual([trusted, subject.CN], [true, "rt-1"]);
  const read = new X509Certificate(both.certificate);
  assert.equal(read.publicKey.asymmetricKeyType, "rsa");
  assert.deepEqual(read.keyUsage, ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
});
