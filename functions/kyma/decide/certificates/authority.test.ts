import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { connect, TLSSocket } from "node:tls";
import { describe, it } from "vitest";
import type { Obj } from "../../../../shared/function/index.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { createAuthority, loadAuthority, type Pair } from "../../../../shared/tls/index.ts";
import { authorityBelow, WATCHER } from "../../test/issuing.ts";
import { authorityPass } from "./authority.ts";
import { bundleOf, isIssuedBy, textOf } from "./read.ts";
import { ADDED_AT, AUTHORITY_SECRET, dataOf, GATEWAY_SECRET, gatewayData } from "./secrets.ts";

const NOW = "2026-01-15T10:00:00.000Z";
const DAY = 86_400_000;
const time = Date.parse(NOW);
const NAMESPACE = "kcp-system";

const secret = (name: string, data: Readonly<Record<string, string>>): Obj<typeof Secret> =>
  parseObject(Secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      ...{ name, namespace: NAMESPACE, uid: name, resourceVersion: "1" },
      annotations: { [ADDED_AT]: "2025-12-01T00:00:00Z" },
    },
    data,
  });

/** The pass over an authority whose gateway has a certificate of it for an address. */
function pass(
  authority: Pair,
  {
    address = "events.example.org",
    server = authority,
    over = {},
  }: { address?: string; server?: Pair; over?: object } = {},
) {
  const gateway = secret(GATEWAY_SECRET, gatewayData(authority.certificate, server));
  const stored = secret(AUTHORITY_SECRET, dataOf(authority));
  return authorityPass(
    { namespace: NAMESPACE, authority: stored, gateway },
    { ...WATCHER, gatewayNamespaces: [], address, ...over },
    NOW,
  );
}
/** The times of the next looks, where nothing is to be done now. */
function resting(outcome: ReturnType<typeof pass>) {
  assert.ok("conclude" in outcome && outcome.conclude !== undefined, "something is to be done");
  assert.deepEqual(outcome.effects, []);
  return outcome.conclude(Object.assign(() => assert.fail(), { ok: true, failed: [] }) as never).wakeAt;
}
const issued = (authority: ReturnType<typeof createAuthority>, name: string, notAfter: number): Pair =>
  authority.issue({ commonName: name, serverNames: [name], notBefore: time - DAY, notAfter });

describe("the authority of runtimes", () => {
  for (const [address, name] of [
    ["10.0.0.1:8443", "10.0.0.1"],
    ["[2001:db8::1]:8443", "2001:db8::1"],
    ["Events.example.org", "events.example.org"],
  ] as const)
    it(`rests once the gateway has a certificate for ${address}`, () => {
      const authority = createAuthority({ notBefore: time - DAY, notAfter: time + 300 * DAY });
      const server = issued(authority, name, time + 60 * DAY);
      assert.deepEqual(Object.keys(resting(pass(authority, { address, server })) ?? {}), ["certificates"]);
    });

  it("rests where others made it for a short time, or have not made another one in time", () => {
    const over = { issuer: "certManager" };
    const short = createAuthority({ notBefore: time - DAY, notAfter: time + 10 * DAY });
    const inShort = pass(short, { server: issued(short, "events.example.org", time + 10 * DAY), over });
    assert.deepEqual(resting(inShort), {
      certificates: "2026-01-25T10:00:01.000Z",
      look: "2026-01-15T10:10:00.000Z",
    });
    const ended = createAuthority({ notBefore: time - 9 * DAY, notAfter: time - DAY });
    const inEnded = pass(ended, { server: issued(ended, "events.example.org", time - DAY), over });
    assert.deepEqual(resting(inEnded), { look: "2026-01-15T10:10:00.000Z" });
  });

  it("is none where its certificate may issue no others", () => {
    const root = createAuthority({ notBefore: time - DAY, notAfter: time + 300 * DAY });
    const leaf = issued(root, "klm-watcher", time + 200 * DAY);
    assert.match(JSON.stringify(pass(leaf)), /"authority klm-watcher 1"/);
    assert.deepEqual(pass(leaf, { over: { issuer: "certManager" } }), {
      wakeAt: { look: "2026-01-15T10:10:00.000Z" },
    });
  });
});

describe("an authority below others", () => {
  // Whatever day it is: the last of these asks TLS itself.
  const term = { notBefore: 0, notAfter: Date.parse("2100-01-01T00:00:00Z") };
  const root = createAuthority({ commonName: "root", ...term });
  const middle = authorityBelow(root, { commonName: "middle", ...term });
  const own = authorityBelow(middle, { commonName: "klm-watcher", ...term });
  const stranger = createAuthority({ commonName: "stranger", ...term });
  const leaf = issued(root, "leaf", time + DAY);
  /** The bundle after a pass, and what is written on it. */
  const after = (stored: Readonly<Record<string, string>>, bundle: string) => {
    const gateway = secret(GATEWAY_SECRET, gatewayData(bundle, undefined));
    const world = { namespace: NAMESPACE, authority: secret(AUTHORITY_SECRET, stored), gateway };
    const { effects } = authorityPass(world, { ...WATCHER, issuer: "certManager" }, NOW);
    const [written] = [effects]
      .flat(3)
      .filter((one) => one !== undefined && JSON.stringify(one).includes("ca.crt"));
    assert.ok(written !== undefined, "the bundle is as it was");
    const text = JSON.stringify(written);
    return {
      bundle: bundleOf(textOf({ "ca.crt": /"ca\.crt":"([^"]*)"/.exec(text)?.[1] ?? "" }, "ca.crt")),
      addedAt: /"caAddedToBundleAt":"([^"]*)"/.exec(text)?.[1],
    };
  };
  const inSecret = (certificates: readonly Pair[], above: readonly Pair[]) => ({
    ...dataOf({ certificate: certificates.map(({ certificate }) => certificate).join(""), key: own.key }),
    "ca.crt": Buffer.from(above.map(({ certificate }) => certificate).join("")).toString("base64"),
  });
  const chain = [own, middle, root].map(({ certificate }) => certificate);

  for (const [where, stored] of [
    ["its own Secret", inSecret([own, middle, root], [])],
    ["the entry for the root", inSecret([own, middle], [root])],
    [
      "an order of its own, beside what is no part of it",
      inSecret([own, leaf, root], [stranger, middle, root]),
    ],
  ] as const)
    it(`is trusted with all of its chain, which lies in ${where}`, () => {
      const { bundle, addedAt } = after(stored, stranger.certificate);
      assert.deepEqual(bundle, [...chain, stranger.certificate]);
      assert.equal(addedAt, "2026-01-15T10:00:00Z");
    });

  it("was added when it was, though those above it come later", () => {
    const { bundle, addedAt } = after(inSecret([own, middle], [root]), own.certificate);
    assert.deepEqual(bundle, chain);
    assert.equal(addedAt, "2025-12-01T00:00:00Z");
  });

  it("keeps the chain of the one before it until each of that ends", () => {
    const former = authorityBelow(root, { commonName: "former", ...term });
    const ended = authorityBelow(root, {
      commonName: "ended",
      notBefore: time - 9 * DAY,
      notAfter: time - DAY,
    });
    const before = [former, root, ended].map(({ certificate }) => certificate).join("");
    const { bundle } = after(inSecret([own, middle], [root]), before);
    assert.deepEqual(bundle, [...chain, former.certificate]);
  });

  it("leaves out what has ended above it", () => {
    const short = authorityBelow(stranger, {
      commonName: "short",
      notBefore: time - 9 * DAY,
      notAfter: time - DAY,
    });
    const below = authorityBelow(short, { commonName: "below", ...term });
    const stored = {
      ...dataOf(below),
      "ca.crt": Buffer.from(short.certificate + stranger.certificate).toString("base64"),
    };
    assert.deepEqual(after(stored, "").bundle, [below.certificate, stranger.certificate]);
  });

  it("is trusted by whoever takes no chain that ends halfway", async () => {
    const server = loadAuthority(own).issue({ commonName: "events", serverNames: ["events"], ...term });
    const { bundle } = after(inSecret([own, middle], [root]), "");
    assert.ok(isIssuedBy(server.certificate, bundle[0] ?? ""));
    assert.equal(await isAccepted(server, bundle.join("")), true);
    assert.equal(await isAccepted(server, own.certificate), false);
  });
});

/** True where a client with these authorities accepts a server. */
async function isAccepted(server: Pair, authorities: string): Promise<boolean> {
  const [near, far] = duplexPair();
  const there = new TLSSocket(far, { isServer: true, key: server.key, cert: server.certificate });
  there.on("error", () => undefined);
  const here = connect({ socket: near, ca: authorities, servername: "events" });
  try {
    return await new Promise<boolean>((resolve) => {
      here.once("secureConnect", () => resolve(here.authorized));
      here.once("error", () => resolve(false));
    });
  } finally {
    here.destroy();
    there.destroy();
  }
}
