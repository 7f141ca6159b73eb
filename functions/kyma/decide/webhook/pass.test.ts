import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { ClusterState, Obj } from "../../../../shared/function/index.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { createAuthority } from "../../../../shared/tls/index.ts";
import { Kyma, LABELS } from "../../kinds/index.ts";
import { ADDED_AT, type Pair } from "../certificates/index.ts";
import { type InstallWorld, installPass } from "./index.ts";

const NOW = "2026-01-15T10:00:00.000Z";
const DAY = 86_400_000;
const time = Date.parse(NOW);
const kyma = (
  labels: Record<string, string>,
  annotations: Record<string, string>,
  has = "CRDsSync",
): Obj<typeof Kyma> =>
  parseObject(Kyma, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: { name: "rt-1", namespace: "kcp-system", uid: "u", resourceVersion: "1", labels, annotations },
    spec: { channel: "regular" },
    status: {
      state: "Processing",
      conditions: [{ type: has, status: "True", reason: "Ready", lastTransitionTime: NOW }],
    },
  });
const self = kyma({ [LABELS.runtimeId]: "runtime-1" }, { "skr-domain": "rt-1.example.org" });

const encoded = (text: string): string => Buffer.from(text).toString("base64");
const secret = (name: string, data: Record<string, string>, annotations = {}): Obj<typeof Secret> =>
  parseObject(Secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "kcp-system", uid: name, resourceVersion: "7", annotations },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, encoded(text)])),
  });
const ofPair = (name: string, { certificate, key }: Pair) =>
  secret(name, { "tls.crt": certificate, "tls.key": key });

const authority = createAuthority({ notBefore: time - DAY, notAfter: time + 300 * DAY });
const runtime = (notAfter: number, commonName = "runtime-1"): Pair =>
  authority.issue({
    commonName,
    serverNames: [
      "rt-1.example.org",
      "skr-webhook.kyma-system.svc",
      "skr-webhook.kyma-system.svc.cluster.local",
    ],
    client: true,
    notBefore: time - DAY,
    notAfter,
  });
const away: ClusterState = {
  state: "unreachable",
  cluster: "rt-1",
  reason: "it does not answer",
  wait: { for: "rt-1 to answer" },
};
const there: ClusterState = { ...away, state: "reachable" };
const world = (over: Partial<InstallWorld> = {}): InstallWorld => ({
  settings: {
    address: "events.example.org",
    image: "image",
    issuer: "builtIn",
    issuerName: "klm",
    gatewayNamespaces: [],
    dnsNames: [],
    beatSeconds: 60,
    pollMinutes: 5,
  },
  watchers: [],
  there,
  authority: ofPair("klm-watcher", authority),
  gateway: secret(
    "klm-istio-gateway",
    { "ca.crt": authority.certificate },
    { [ADDED_AT]: "2026-01-01T00:00:00Z" },
  ),
  secret: ofPair("rt-1-webhook-tls", runtime(time + 50 * DAY)),
  ...over,
});
const said = (outcome: ReturnType<typeof installPass>): string | undefined =>
  "status" in outcome ? outcome.status?.conditions[0]?.message : undefined;
/** The effects as JSON, without their keys. */
const written = (outcome: ReturnType<typeof installPass>): string =>
  JSON.stringify("effects" in outcome ? outcome.effects : []);

describe("the program in a runtime", () => {
  it("is nobody's business where nothing is to be watched", () => {
    assert.deepEqual(installPass(self, undefined, NOW), {});
  });
  it("says what it lacks to have a certificate", () => {
    const nameless = kyma({}, { "skr-domain": "rt-1.example.org" });
    assert.match(said(installPass(nameless, world(), NOW)) ?? "", /runtime-id/);
    const homeless = kyma({ [LABELS.runtimeId]: "runtime-1" }, {});
    assert.match(said(installPass(homeless, world(), NOW)) ?? "", /skr-domain/);
    for (const domain of ["münchen.example", "a b", "x".repeat(300)]) {
      const strange = kyma({ [LABELS.runtimeId]: "runtime-1" }, { "skr-domain": domain });
      assert.match(said(installPass(strange, world(), NOW)) ?? "", /DNS name in the annotation skr-domain/);
    }
    const lawless = installPass(self, world({ authority: undefined }), NOW);
    assert.match(said(lawless) ?? "", /authority .* yet to be made/);
    const other = createAuthority({ notBefore: time - DAY, notAfter: time + 300 * DAY });
    const early = installPass(
      self,
      world({ authority: ofPair("klm-watcher", other), secret: undefined }),
      NOW,
    );
    assert.match(said(early) ?? "", /yet to be trusted/, "what the gateway does not trust issues nothing");
    const due = ofPair("rt-1-webhook-tls", runtime(time + 29 * DAY));
    const meanwhile = installPass(self, world({ authority: ofPair("klm-watcher", other), secret: due }), NOW);
    assert.match(written(meanwhile), /ValidatingWebhookConfiguration/, "the former one still holds");
  });
  it("gets a certificate where there is none, or none for it, or none that lasts", () => {
    for (const [what, one] of [
      ["none", undefined],
      ["another's", ofPair("rt-1-webhook-tls", runtime(time + 50 * DAY, "runtime-2"))],
      ["one that ends", ofPair("rt-1-webhook-tls", runtime(time + 29 * DAY))],
      ["no certificate", secret("rt-1-webhook-tls", { "tls.crt": "x", "tls.key": "y" })],
    ] as const)
      assert.match(written(installPass(self, world({ secret: one }), NOW)), /"method":"issue"/, what);
  });
  it("keeps a certificate that ends with its authority until there is another one", () => {
    const ending = ofPair("rt-1-webhook-tls", runtime(time + 300 * DAY));
    const outcome = installPass(self, world({ secret: ending, there: away }), NOW);
    assert.deepEqual("wakeAt" in outcome && outcome.wakeAt, {});
  });
  it("waits for a runtime that is away, and knows when its certificate is to be renewed", () => {
    const outcome = installPass(self, world({ there: away }), NOW);
    assert.match(said(outcome) ?? "", /does not answer/);
    assert.deepEqual("wakeAt" in outcome && outcome.wakeAt, { certificate: "2026-02-04T10:00:01.000Z" });
    assert.equal(written(outcome), "[]");
  });
  it("is installed once the runtime has the namespace for it, and kept from then on", () => {
    const at = (has: string) =>
      installPass(
        kyma({ [LABELS.runtimeId]: "runtime-1" }, { "skr-domain": "rt-1.example.org" }, has),
        world(),
        NOW,
      );
    assert.match(said(at("Reachable")) ?? "", /namespace of the runtime is yet to be made/);
    assert.equal(written(at("Reachable")), "[]");
    for (const has of ["CRDsSync", "SKRWebhook"])
      assert.match(written(at(has)), /ValidatingWebhookConfiguration/);
  });
  it("is installed with the registration last", () => {
    const text = written(installPass(self, world(), NOW));
    assert.ok(text.indexOf('"kind":"Deployment"') < text.indexOf('"kind":"ValidatingWebhookConfiguration"'));
    assert.ok(!text.includes(authority.key.slice(40, 80)), "the authority's key stays at home");
    assert.match(text, /"cluster":"rt-1"/);
  });
  it("is pulled with the Secret that is configured, or with what the runtime has", () => {
    const pull = '"imagePullSecrets":[{"name":"pull"}]';
    assert.ok(written(installPass(self, world(), NOW, "pull")).includes(pull));
    assert.ok(!written(installPass(self, world(), NOW)).includes("imagePullSecrets"));
  });
  it("is asked of others where they make certificates", () => {
    const settings = { ...world().settings, issuer: "certManager" as const };
    const none = installPass(self, world({ settings, secret: undefined }), NOW);
    assert.match(written(none), /cert-manager\.io\/v1/);
    assert.doesNotMatch(written(none), /"method"|ValidatingWebhookConfiguration/);
    const made = written(installPass(self, world({ settings }), NOW));
    assert.match(made, /cert-manager\.io\/v1.*ValidatingWebhookConfiguration/);
    const times = { notBefore: time - 10 * DAY, notAfter: time + 50 * DAY };
    const added = { [ADDED_AT]: "2026-01-10T00:00:00Z" };
    const gateway = secret("klm-istio-gateway", { "ca.crt": authority.certificate }, added);
    const former = createAuthority({ ...times, notBefore: time - 90 * DAY });
    for (const [what, issuer, isRemoved] of [
      ["dated back before its authority came", authority, false],
      ["of a former authority", former, true],
    ] as const) {
      const pair = issuer.issue({
        commonName: "runtime-1",
        serverNames: ["rt-1.example.org"],
        client: true,
        ...times,
      });
      const outcome = installPass(
        self,
        world({ settings, gateway, secret: ofPair("rt-1-webhook-tls", pair) }),
        NOW,
      );
      assert.equal(written(outcome).includes('"effect":"remove"'), isRemoved, what);
    }
  });
});
