import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { keptLog } from "../../../infra/testing/watched-cluster.ts";
import { certifiedIngress, type FetchHandler, provenByGateway } from "../../../shared/host/http/index.ts";
import { createAuthority } from "../../../shared/tls/index.ts";
import { listener } from "../decide/watch/index.ts";

const NOW = Date.parse("2026-02-03T10:00:00Z");
const HOUR = 3_600_000;
const TIMES = { notBefore: NOW - HOUR, notAfter: NOW + HOUR };
const RUNS = 600;

const authority = createAuthority(TIMES);
const headerOf = (commonName: string, by = authority, over: object = {}): string =>
  `Hash=ab;Cert="${encodeURIComponent(by.issue({ commonName, ...TIMES, ...over }).certificate)}";Subject="CN=a"`;

/** A forwarded certificate, and whom it proves. Undefined: nobody. */
interface Shown {
  readonly header: string | undefined;
  readonly proves: string | undefined;
}
const genuine = ["rt-1", "runtime 4711", "ünïcode", ""].map(
  (commonName): Shown => ({ header: headerOf(commonName), proves: commonName }),
);
const [good] = genuine;
const bad: readonly Shown[] = [
  undefined,
  "",
  "Hash=ab;URI=spiffe://a",
  'Cert="%E0%A4%A"',
  headerOf("rt-1", createAuthority(TIMES)),
  headerOf("rt-1", authority, { notAfter: NOW - 1_000 }),
  headerOf("rt-1", authority, { notBefore: NOW + 1_000 }),
  headerOf("rt-1", authority, { serverNames: ["a.example.org"] }),
  `${good?.header},${good?.header}`,
  `${good?.header};By=${"x".repeat(33_000)}`,
].map((header) => ({ header, proves: undefined }));

/** A listener, what it publishes, and whose signs of life it hears. */
function begun() {
  const published: Envelope[] = [];
  const heard: string[] = [];
  const lines: Parameters<typeof keptLog>[0] = [];
  const clock = new ManualClock(NOW);
  const handler = certifiedIngress({
    triggers: [listener],
    prove: provenByGateway({ authorities: async () => authority.certificate, clock }),
    clock,
    ear: {
      hear: (_trigger, sender) => ({ notices: [], note: () => heard.push(sender) }),
    },
    log: keptLog(lines),
    bus: {
      ready: () => true,
      publish: async (events) => {
        published.push(...events);
        return { refused: [] };
      },
    },
  });
  return { handler, published, heard, lines };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly header: string | undefined;
  readonly body: string;
}
const send = (handler: FetchHandler, { method, path, header, body }: Sent): Promise<Response> =>
  handler(
    new Request(`http://control-plane${path}`, {
      method,
      headers: header === undefined ? {} : { "x-forwarded-client-cert": header },
      ...(!["GET", "HEAD"].includes(method) && { body }),
    }),
  );

const told = {
  watched: { Namespace: "kyma-system", Name: "default" },
  watchedGvk: { group: "apps", version: "v1", kind: "Deployment" },
};
const BEAT = JSON.stringify({ beat: { number: 1, after: 0, seconds: 60 }, delivery: "one" });
/** Bodies that are taken, with the type of the event that they lead to; a sign of life leads to none. */
const taken: readonly (readonly [body: string, type: string | undefined])[] = [
  [JSON.stringify(told), "runtime.changed"],
  [JSON.stringify({ ...told, more: [1] }), "runtime.changed"],
  ["{}", "runtime.changed"],
  [BEAT, undefined],
];
/** Bodies that are not, with the answer. */
const refused: readonly (readonly [body: string, status: number])[] = [
  ["", 500],
  ["{", 500],
  ["\u0000", 500],
  ["null", 400],
  ["[]", 400],
  ["7", 400],
  [JSON.stringify({ watched: "default" }), 400],
  [JSON.stringify({ delivery: "x".repeat(101) }), 400],
  [JSON.stringify({ beat: true }), 400],
  [JSON.stringify({ beat: { number: 0, after: 0, seconds: 60 } }), 400],
  [JSON.stringify({ watched: { Name: "x".repeat(257) } }), 400],
  [JSON.stringify({ more: "x".repeat(16_384) }), 413],
];

/** The answer to a request, by the specification. */
function answerTo(request: { readonly method: string; readonly place: string } & Shown & Body): number {
  const { method, place, header, proves, refusal } = request;
  const [, contract, manager, ...rest] = place.split("/");
  if (rest.length !== 1 || rest[0] !== "event") return 404;
  if (method !== "POST") return 405;
  if (proves === undefined || header === undefined) return 401;
  if (proves === "") return 400;
  if (refusal === 413 || refusal === 500) return refusal;
  return contract === "v2" && manager !== "" ? (refusal ?? 202) : 400;
}
interface Body {
  readonly body: string;
  /** The type of the event that it leads to. */
  readonly type: string | undefined;
  readonly refusal: number | undefined;
}

const methods = fc.constantFrom("POST", "POST", "POST", "POST", "GET", "PUT", "DELETE", "HEAD", "PATCH");
const places = fc.constantFrom(
  ...["/v2/lifecycle-manager/event", "/v2/lifecycle-manager/event", "/v2/%/event", "/v2//event"],
  ...["/v1/lifecycle-manager/event", "//m/event", "/v2/event", "/v2/m/events", "/v2/m/event/more", "/"],
);
const shown = fc.oneof(
  { arbitrary: fc.constantFrom(...genuine), weight: 3 },
  { arbitrary: fc.constantFrom(...bad), weight: 2 },
);
const bodies = fc.oneof(
  {
    arbitrary: fc.constantFrom(...taken).map(([body, type]) => ({ body, type, refusal: undefined })),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom(...refused).map(([body, refusal]) => ({ body, type: undefined, refusal })),
    weight: 2,
  },
);

describe("the listener, whatever comes", () => {
  it("answers as it is specified, and publishes for whom a certificate proves alone", async () => {
    const { handler, published, heard, lines } = begun();
    await fc.assert(
      fc.asyncProperty(methods, places, shown, bodies, async (method, place, by, body) => {
        const before = published.length;
        const beats = heard.length;
        const expected = answerTo({ method, place, ...by, ...body });
        const response = await send(handler, { method, path: place, header: by.header, body: body.body });
        assert.equal(response.status, expected);
        const events = published.slice(before);
        assert.deepEqual(
          events.map(({ type, subject }) => [type, subject]),
          expected === 202 && body.type !== undefined ? [[body.type, `runtime/${by.proves}`]] : [],
        );
        const isBeat = expected === 202 && body.type === undefined;
        assert.deepEqual(heard.slice(beats), isBeat ? [by.proves] : []);
      }),
      { numRuns: RUNS, seed: 35 },
    );
    assert.ok(published.length > 10 && heard.length > 1);
    assert.doesNotMatch(JSON.stringify(lines), /BEGIN|MII/);
  });

  it("never fails over headers, paths and bodies of no form, and believes none that was changed on the way", async () => {
    const { handler, published, lines } = begun();
    const pieces = fc.constantFrom("%", ",", ";", '"', "\\", "=", "Cert=", "%00", "ÿ", "A", " ");
    const changed = fc
      .tuple(fc.array(fc.tuple(fc.nat(), fc.nat(2), pieces), { maxLength: 6 }), fc.boolean())
      .map(([edits, whole]) => {
        const text = [...(good?.header ?? "")];
        for (const [at, gone, piece] of edits) text.splice(at % text.length, gone, piece);
        return text.join("").slice(whole ? 0 : (edits[0]?.[0] ?? 0) % text.length);
      });
    // A header's value holds what a byte can hold, and no line.
    const anyHeader = fc
      .string({ unit: "binary", maxLength: 200 })
      .map((text) => text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, "?"));
    const anyPath = fc
      .array(fc.oneof(fc.constantFrom("v2", "m", "event", "..", "%2f", ""), fc.string({ unit: "binary" })))
      .map(
        (parts) =>
          `/${parts.map((part) => (part === ".." ? part : encodeURIComponent(part.toWellFormed()))).join("/")}`,
      );
    const anyBody = fc.oneof(
      fc.json(),
      fc.string({ unit: "binary" }),
      fc.constantFrom(...taken).map(([body]) => body),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(changed, anyHeader),
        fc.oneof(fc.constant("/v2/m/event"), anyPath),
        anyBody,
        async (header, path, body) => {
          const before = published.length;
          const { status } = await send(handler, { method: "POST", path, header, body });
          assert.ok([202, 400, 401, 404, 413, 500].includes(status), `${status}`);
          for (const { data } of published.slice(before))
            assert.equal((data as { readonly runtimeId: string }).runtimeId, "rt-1");
        },
      ),
      { numRuns: RUNS, seed: 35 },
    );
    const failures = lines.filter(({ level, fields }) => level === "error" && "err" in fields);
    assert.deepEqual(failures, []);
  });
});
