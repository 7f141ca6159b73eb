import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { createAuthority } from "../../../../shared/tls/index.ts";
import {
  bundleChange,
  bundleOf,
  ISSUE_AFTER,
  isIssuedBy,
  type Pair,
  runtimeIsDueAt,
  SWITCH_AFTER,
  serverIsDueAt,
  termOf,
  timesOf,
} from "./index.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-01-15T10:00:00Z");
const HOST = "events.example.org";
const subject = { commonName: "rt-1", dnsNames: ["rt-1.example.org"] };
type Authority = ReturnType<typeof createAuthority>;

const authorityAt = (now: number): Authority => createAuthority(termOf("authority", now));
const serverOf = (authority: Authority, now: number): Pair =>
  authority.issue({ commonName: HOST, serverNames: [HOST], ...termOf("server", now, authority.certificate) });
const runtimeOf = (authority: Authority, now: number): Pair =>
  authority.issue({
    commonName: subject.commonName,
    serverNames: subject.dnsNames,
    client: true,
    ...termOf("runtime", now, authority.certificate),
  });

describe("certificates over more than a year", () => {
  /** The content of the Secrets, and the certificates that gateway and runtime show and trust. */
  const play = () => {
    let authority = authorityAt(START);
    let bundle = authority.certificate;
    let addedAt: number | undefined = START;
    let server = serverOf(authority, START);
    let runtime = runtimeOf(authority, START);
    // The files of the gateway follow a minute later, and the runtime trusts what it was given with its certificate or since.
    const issued: string[] = [];
    return {
      issued,
      at(now: number): { readonly bundle: string; readonly server: Pair; readonly runtime: Pair } {
        if (now >= START + 275 * DAY && issued.length === 0) {
          authority = authorityAt(now);
          issued.push(`authority ${Math.round((now - START) / DAY)}`);
        }
        const change = bundleChange([authority.certificate], bundle, now);
        if (change !== undefined) {
          bundle = change.bundle;
          addedAt = change.addedAt ?? addedAt;
        }
        const known = { authority: authority.certificate, addedAt };
        if (now >= serverIsDueAt(server, { ...known, host: HOST })) server = serverOf(authority, now);
        if (now >= runtimeIsDueAt(runtime, subject, known)) runtime = runtimeOf(authority, now);
        return { bundle, server, runtime };
      },
    };
  };
  const trusted = ({ certificate }: Pair, bundle: string, now: number): boolean => {
    const issuer = bundleOf(bundle).some((one) => isIssuedBy(certificate, one) && between(one, now));
    return issuer && between(certificate, now);
  };
  const between = (certificate: string, now: number): boolean => {
    const times = timesOf(certificate);
    return times !== undefined && times.from <= now && now <= times.to;
  };

  it("never stand in the way of a delivery, also while the authority is another one", () => {
    const world = play();
    let before = world.at(START);
    const step = (now: number): number =>
      Math.abs(now - START - 277 * DAY) < 4 * DAY ? 3_600_000 : DAY - 1_000;
    for (let now = START; now < START + 400 * DAY; now += step(now)) {
      const { bundle, server, runtime } = world.at(now);
      // Each side knows of the other what stood there a step ago, as well as what stands there now.
      for (const known of [bundle, before.bundle]) {
        assert.ok(trusted(server, known, now), `the server, day ${(now - START) / DAY}`);
        if (known === bundle)
          assert.ok(trusted(runtime, known, now), `the runtime, day ${(now - START) / DAY}`);
      }
      assert.ok(trusted(before.runtime, bundle, now) || !between(before.runtime.certificate, now));
      before = { bundle, server, runtime };
    }
    assert.deepEqual(world.issued, ["authority 275"]);
  });
});

describe("the order of a new authority", () => {
  const [old, young] = [authorityAt(START - 275 * DAY), authorityAt(START)];
  it("is: into the bundle, then runtimes, then the server", () => {
    const change = bundleChange([young.certificate], old.certificate, START);
    assert.deepEqual(change, { bundle: young.certificate + old.certificate, addedAt: START });
    assert.equal(bundleChange([young.certificate], change?.bundle ?? "", START + DAY), undefined);
    const known = { authority: young.certificate, addedAt: START };
    const [server, runtime] = [serverOf(old, START - DAY), runtimeOf(old, START - DAY)];
    assert.equal(runtimeIsDueAt(runtime, subject, known), START + ISSUE_AFTER);
    assert.equal(serverIsDueAt(server, { ...known, host: HOST }), START + SWITCH_AFTER);
    const fresh = runtimeOf(young, START + ISSUE_AFTER);
    assert.equal(runtimeIsDueAt(fresh, subject, known), START + ISSUE_AFTER + 30 * DAY);
  });
  it("leaves an authority of before in the bundle until it ends, and no longer", () => {
    const both = young.certificate + old.certificate;
    const end = START - 275 * DAY + 365 * DAY;
    assert.equal(bundleChange([young.certificate], both, end - 1_000), undefined);
    assert.deepEqual(bundleChange([young.certificate], both, end + 1_000), {
      bundle: young.certificate,
      addedAt: undefined,
    });
  });
  it("does not wait for a server that shows nothing valid, or another name", () => {
    const known = { authority: young.certificate, addedAt: START, host: HOST };
    assert.equal(serverIsDueAt(undefined, known), 0);
    assert.equal(serverIsDueAt(serverOf(old, START - DAY), { ...known, host: "other.example.org" }), 0);
    assert.equal(serverIsDueAt(serverOf(old, START - 59 * DAY), known), START + DAY, "it ends before");
  });
  it("has nothing to do with names: a runtime of another name or domain gets another certificate", () => {
    const known = { authority: young.certificate, addedAt: START };
    const runtime = runtimeOf(young, START);
    assert.equal(runtimeIsDueAt(undefined, subject, known), 0);
    assert.equal(runtimeIsDueAt(runtime, { ...subject, commonName: "rt-2" }, known), 0);
    assert.equal(runtimeIsDueAt(runtime, { ...subject, dnsNames: ["rt-1.example.com"] }, known), 0);
  });
  it("issues nothing anew that could hold no longer", () => {
    const ending = createAuthority({ notBefore: START - 70 * DAY, notAfter: START + 20 * DAY });
    const known = { authority: ending.certificate, addedAt: START - 70 * DAY, host: HOST };
    for (const now of [START, START + 19 * DAY, START + 21 * DAY]) {
      assert.equal(serverIsDueAt(serverOf(ending, now), known), Number.POSITIVE_INFINITY);
      assert.equal(runtimeIsDueAt(runtimeOf(ending, now), subject, known), Number.POSITIVE_INFINITY);
    }
    const next = { ...known, authority: authorityAt(START).certificate, addedAt: START };
    assert.equal(serverIsDueAt(serverOf(ending, START), next), START + SWITCH_AFTER);
  });
  it("issues nothing that outlives its authority", () => {
    assert.equal(termOf("runtime", START, old.certificate).notAfter, START + 60 * DAY);
    const late = START + 80 * DAY;
    assert.equal(termOf("runtime", late, old.certificate).notAfter, START + 90 * DAY);
  });
});
