import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Obj } from "../../../../shared/function/index.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { createAuthority, type Pair } from "../../../../shared/tls/index.ts";
import { WATCHER } from "../../test/issuing.ts";
import { authorityPass } from "./authority.ts";
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
