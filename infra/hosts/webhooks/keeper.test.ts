import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, it, onTestFinished } from "vitest";
import * as z from "zod";
import { admission, allow, defineKind, defineSystem } from "../../../shared/function/index.ts";
import { silent } from "../../../shared/log/log.ts";
import { eventually } from "../../testing/eventually.ts";
import { manualClock } from "../../testing/settling-clock.ts";
import { readCertificates, renewalOf } from "./certificates.ts";
import { WebhookKeeper } from "./keeper.ts";

class Kite extends defineKind({
  group: "kept.example.org",
  version: "v1",
  kind: "Kite",
  scope: "Namespaced",
  fields: { spec: z.object({ tail: z.number() }) },
}) {}
const system = defineSystem({
  name: "kites",
  functions: [],
  admissions: [
    admission("kite-judge", Kite, ["create", "update"]).function({
      webhook: { path: "/admit-kite" },
      admit: () => allow(),
    }),
    admission("kite-onlooker", Kite, ["delete"]).function({
      whenDown: "allow",
      webhook: { configuration: "upstream-name", name: "a.b.c", type: "Validating" },
      admit: () => allow(),
    }),
  ],
});

const DAY = 86_400_000;
const START = Date.parse("2026-03-01T00:00:00Z");

interface Webhook {
  readonly name: string;
  readonly failurePolicy: string;
  readonly clientConfig: { readonly caBundle: string; readonly service: object };
  readonly rules: readonly object[];
}

/** An API server with one Secret, and what was registered. */
function scene(secret: { data?: Record<string, string> } | undefined) {
  const clock = manualClock(START);
  let version = 1;
  let registered: {
    readonly kind: string;
    readonly metadata: { name: string };
    readonly webhooks: Webhook[];
  }[] = [];
  const steps: string[] = [];
  let leads = true;
  let refuses = false;
  const object = () => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "n", resourceVersion: String(version) },
    ...secret,
  });
  const client = {
    get: async () => (secret === undefined ? undefined : object()),
    patch: async (
      _: object,
      __: object,
      ___: string,
      body: { metadata: object; data: Record<string, unknown> },
    ) => {
      assert.deepEqual(body.metadata, { resourceVersion: String(version) });
      version++;
      const data = { ...secret?.data, ...body.data };
      secret = {
        data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) as Record<
          string,
          string
        >,
      };
      steps.push("secret");
      return object();
    },
    apply: async (_: object, __: object, body: (typeof registered)[number]) => {
      if (refuses) throw new Error("away");
      registered = [...registered.filter(({ metadata }) => metadata.name !== body.metadata.name), body];
      steps.push(`register ${body.metadata.name}`);
      return body;
    },
  };
  const keeper = new WebhookKeeper({
    client: client as never,
    systems: [system],
    secret: { namespace: "n", name: "s" },
    service: { namespace: "n", name: "serve", port: 443 },
    lifetime: 90 * DAY,
    leads: () => leads,
    clock,
    log: silent,
  });
  onTestFinished(() => keeper.stop());
  return {
    clock,
    keeper,
    steps,
    certificates: () => readCertificates(secret?.data),
    install: () => {
      secret = {};
    },
    registered: () => registered,
    trusted: () =>
      new Set(
        registered.flatMap(({ webhooks }) =>
          webhooks.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle, "base64").toString()),
        ),
      ),
    loses: () => {
      leads = false;
    },
    refuse: (does: boolean) => {
      refuses = does;
    },
  };
}
const after = (steps: readonly string[], count: number): Promise<unknown> =>
  eventually(`${count} steps`, () => steps.length >= count);
const verifies = (certificate: string | undefined, authorities: readonly string[]): boolean =>
  authorities.some((one) =>
    new X509Certificate(certificate ?? "").verify(new X509Certificate(one).publicKey),
  );

describe("the webhooks that a leading watcher keeps", () => {
  it("are registered once the Secret holds the certificate", async () => {
    const { keeper, steps, certificates, registered, trusted } = scene({});
    keeper.lead();
    await after(steps, 3);
    assert.deepEqual(steps, ["secret", "register reveille-kites", "register upstream-name"]);
    const { current, next, authorities } = certificates();
    assert.ok(verifies(current?.certificate, authorities));
    assert.equal(next, undefined);
    assert.ok(new X509Certificate(current?.certificate ?? "").checkHost("serve.n.svc"));
    assert.deepEqual([...trusted()], [authorities.join("")]);
    const [mutating, validating] = registered();
    assert.deepEqual(
      [mutating?.kind, validating?.kind],
      ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    );
    const [judge] = mutating?.webhooks ?? [];
    assert.deepEqual(
      [judge?.name, judge?.failurePolicy, judge?.rules],
      [
        "kite-judge.kites.reveille.dev",
        "Fail",
        [
          {
            apiGroups: ["kept.example.org"],
            apiVersions: ["v1"],
            operations: ["CREATE", "UPDATE"],
            resources: ["kites"],
            scope: "Namespaced",
          },
        ],
      ],
    );
    assert.deepEqual(judge?.clientConfig.service, {
      namespace: "n",
      name: "serve",
      port: 443,
      path: "/admit-kite",
    });
    assert.deepEqual(
      validating?.webhooks.map(({ name, failurePolicy }) => [name, failurePolicy]),
      [["a.b.c", "Ignore"]],
    );
  });

  it("wait for the Secret, and register nothing without it", async () => {
    const { keeper, steps, clock, install } = scene(undefined);
    keeper.lead();
    await clock.advance(5_000);
    assert.deepEqual(steps, []);
    install();
    await clock.advance(10_000);
    await after(steps, 3);
  });

  it("show a new certificate only once its authority was trusted for a minute, beside the old one", async () => {
    const { keeper, steps, clock, certificates, trusted } = scene({});
    keeper.lead();
    await after(steps, 3);
    const first = certificates();
    const untilRenewal = (): number =>
      renewalOf(certificates().current ?? { certificate: "", key: "" }) - clock.now();
    assert.equal(Math.round(untilRenewal() / DAY), 60);
    await clock.advance(untilRenewal());
    await after(steps, 6);
    const during = certificates();
    assert.deepEqual(during.current, first.current);
    assert.ok(during.next);
    assert.equal(during.authorities.length, 2);
    assert.ok(verifies(during.current?.certificate, during.authorities));
    assert.ok(verifies(during.next?.certificate, during.authorities));
    assert.deepEqual([...trusted()], [during.authorities.join("")]);
    await clock.advance(60_000);
    await eventually("it is shown", () => certificates().next === undefined);
    const second = certificates();
    assert.deepEqual(second.current, during.next);
    assert.equal(second.authorities.length, 2);
    await clock.advance(untilRenewal());
    await eventually("the next one is made", () => certificates().next !== undefined);
    // The first authority has ended.
    assert.equal(certificates().authorities.length, 2);
    assert.ok(!certificates().authorities.includes(first.authorities[0] ?? ""));
  });

  it("are taken over by the next leader, wherever the last one stopped", async () => {
    const one = scene({});
    one.keeper.lead();
    await after(one.steps, 3);
    one.refuse(true);
    await one.clock.advance(61 * DAY);
    await after(one.steps, 4);
    const { next } = one.certificates();
    assert.ok(next);
    one.refuse(false);
    one.keeper.lead();
    await eventually("the new authority is trusted", () =>
      [...one.trusted()].every((bundle) =>
        verifies(next.certificate, bundle.split(/(?<=-----END CERTIFICATE-----\n)/).filter(Boolean)),
      ),
    );
    assert.deepEqual(one.certificates().next, next);
    await one.clock.advance(60_000);
    await eventually("it is shown", () => one.certificates().current?.key === next.key);
  });

  it("are left to whoever leads now", async () => {
    const { keeper, steps, clock, loses, certificates } = scene({});
    keeper.lead();
    await after(steps, 3);
    loses();
    await clock.advance(200 * DAY);
    await keeper.stop();
    assert.equal(steps.length, 3);
    assert.equal(certificates().next, undefined);
  });

  it("replace what is no certificate", async () => {
    const text = (value: string): string => Buffer.from(value).toString("base64");
    const { keeper, steps, certificates } = scene({
      data: { "tls.crt": text("no"), "tls.key": text("no"), "ca.crt": text("no") },
    });
    keeper.lead();
    await after(steps, 3);
    assert.ok(certificates().current);
    assert.equal(certificates().authorities.length, 1);
  });
});
