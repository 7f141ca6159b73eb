import assert from "node:assert/strict";
import { describe, it, test } from "vitest";
import type { ClusterState, Obj, Results } from "../../../../shared/function/index.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { createAuthority } from "../../../../shared/tls/index.ts";
import { Kyma, LABELS, RuntimeObject } from "../../kinds/index.ts";
import { watcherInstall } from "../../watcher-install.ts";
import { ADDED_AT, type Pair } from "../certificates/index.ts";
import { isStopped } from "../conditions/index.ts";
import { type InstallWorld, installPass, observeInstall } from "./index.ts";

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
  pods: [],
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

type Pod = Obj<typeof RuntimeObject>;
const pod = (name: string, status: unknown, metadata = {}): Pod =>
  parseObject(
    RuntimeObject,
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "kyma-system", uid: name, resourceVersion: "1", ...metadata },
      status,
    } as never,
    "rt-1",
  );
const waits = (reason: string, message?: string) => ({
  phase: "Pending",
  containerStatuses: [{ name: "server", state: { waiting: { reason, message } } }],
});
/** The end of a pass after which the Deployment is available or not. */
function ending(pods: InstallWorld["pods"], available: "True" | "False") {
  const outcome = installPass(self, world({ pods }), NOW);
  if (!("conclude" in outcome)) throw new Error("nothing was installed");
  const status = {
    conditions: [{ type: "Available", status: available, message: "Too few are available." }],
  };
  const results = Object.assign(() => ({ state: "done", value: { status } }), { ok: true, failed: [] });
  const { status: ended, waitingFor = [] } = outcome.conclude(results as unknown as Results);
  const [condition] = ended.conditions;
  return {
    condition,
    waitsFor: waitingFor.flatMap(({ object }) =>
      object === undefined ? [] : `${object.kind} ${object.name}`,
    ),
    clusters: new Set(waitingFor.flatMap(({ object }) => object?.cluster ?? [])),
  };
}

describe("a program that does not run", () => {
  const UNAVAILABLE = "The Deployment skr-webhook in the runtime is not available: Too few are available.";
  const STOPPED = "The program that watches in the runtime cannot start: container";
  const crashes = waits("CrashLoopBackOff", "back-off 5m0s restarting failed container");
  const initial = {
    phase: "Pending",
    initContainerStatuses: [{ name: "prepare", state: { waiting: { reason: "InvalidImageName" } } }],
    containerStatuses: [{ name: "server", state: { waiting: { reason: "PodInitializing" } } }],
  };
  const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  test.each<readonly [string, InstallWorld["pods"], string, readonly string[]]>([
    ["has no Pod yet", [], UNAVAILABLE, []],
    ["is on its way", [pod("a", waits("ContainerCreating"))], UNAVAILABLE, ["a"]],
    ["has a Pod that nobody looked at", [pod("a", {})], UNAVAILABLE, ["a"]],
    [
      "crashes again and again",
      [pod("a", crashes)],
      `${STOPPED} server of Pod a waits with CrashLoopBackOff: back-off 5m0s restarting failed container`,
      ["a"],
    ],
    [
      "has no image",
      [pod("a", waits("ImagePullBackOff", "Back-off pulling image"))],
      `${STOPPED} server of Pod a waits with ImagePullBackOff: Back-off pulling image`,
      ["a"],
    ],
    [
      "cannot begin with what comes before it",
      [pod("a", initial)],
      `${STOPPED} prepare of Pod a waits with InvalidImageName`,
      ["a"],
    ],
    [
      "has several Pods, one of which cannot begin",
      [pod("a", ready), pod("b", waits("ContainerCreating")), pod("c", waits("ErrImagePull"))],
      `${STOPPED} server of Pod c waits with ErrImagePull`,
      ["b", "c"],
    ],
    [
      "has Pods that go, or are over",
      [pod("a", crashes, { deletionTimestamp: NOW }), pod("b", { phase: "Failed" })],
      UNAVAILABLE,
      [],
    ],
  ])("%s", (_, pods, message, names) => {
    const { condition, waitsFor, clusters } = ending(pods, "False");
    assert.deepEqual([condition?.status, condition?.reason], ["False", "Ready"]);
    assert.equal(condition?.message, message);
    assert.equal(isStopped(condition), message.startsWith(STOPPED));
    assert.deepEqual(
      waitsFor.filter((one) => !one.startsWith("Cluster")),
      ["Deployment skr-webhook", ...names.map((name) => `Pod ${name}`)],
    );
    assert.equal(clusters.size, 1);
  });
  it("is forgotten once the Deployment is available", () => {
    const { condition, waitsFor } = ending([pod("a", crashes)], "True");
    assert.deepEqual([condition?.status, condition?.message], ["True", ""]);
    assert.deepEqual(waitsFor, ["Deployment skr-webhook"]);
  });
  it("is told in as many words as a status has room for", () => {
    const { condition } = ending([pod("a", waits("ErrImagePull", "x".repeat(100_000)))], "False");
    assert.ok((condition?.message.length ?? 0) < 3_000);
  });
});

describe("a registration that was deleted", () => {
  const heard = parseObject(Kyma, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: self.metadata,
    status: {
      conditions: ["SKRWebhook", "Watch"].map((type) => ({
        ...{ type, status: "True", reason: "Ready", message: "", lastTransitionTime: NOW },
      })),
    },
  } as never);
  /** The events after a pass that found the registration so. */
  function told(
    one: Obj<typeof Kyma>,
    registration: { readonly changed: boolean; readonly generation: number },
  ) {
    const outcome = installPass(one, world(), NOW);
    if (!("conclude" in outcome)) throw new Error("nothing was installed");
    const status = { conditions: [{ type: "Available", status: "True" }] };
    const resultOf = (effect: unknown) => {
      const isRegistration = JSON.stringify(effect).includes('"kind":"ValidatingWebhookConfiguration"');
      const { changed, generation } = isRegistration ? registration : { changed: false, generation: 1 };
      return { state: "done", changed, value: { metadata: { generation }, status } };
    };
    const results = Object.assign(resultOf, { ok: true, failed: [] }) as unknown as Results;
    return JSON.stringify(outcome.conclude(results).record);
  }

  it("is looked for by a safety net, as nobody tells of it", () => {
    assert.equal(watcherInstall.net, "30m");
  });
  it("has the whole runtime looked at once it is back: nobody told of anything meanwhile", () => {
    const events = told(heard, { changed: true, generation: 1 });
    assert.match(events, /"runtimeId":"runtime-1"/);
    assert.ok(events.includes(`registered ${NOW}`));
  });
  test.each([
    ["that is there", heard, { changed: false, generation: 1 }],
    ["that others edited", heard, { changed: true, generation: 2 }],
    ["of a runtime that nobody has heard yet", self, { changed: true, generation: 1 }],
  ] as const)("differs from one %s", (_, one, registration) => {
    assert.equal(told(one, registration), "[]");
  });
});

describe("the Pods of the program", () => {
  const found = [pod("a", {})];
  const observed = async (
    conditions: Readonly<Record<string, "True" | "False">>,
    over: Partial<Parameters<typeof observeInstall>[3]> = {},
  ) => {
    const { settings, secret: pair } = world();
    const one = parseObject(Kyma, {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Kyma",
      metadata: self.metadata,
      status: {
        conditions: Object.entries(conditions).map(([type, status]) => ({
          ...{ type, status, reason: "Ready", message: "", lastTransitionTime: NOW },
        })),
      },
    } as never);
    let asked = 0;
    const reads = {
      watchers: async () => [],
      there: async () => there,
      secret: async () => pair,
      pods: async () => found,
      ...over,
    };
    const seen = await observeInstall(one, settings, false, {
      ...reads,
      pods: () => {
        asked += 1;
        return reads.pods();
      },
    });
    return { pods: seen?.pods, asked };
  };
  test.each([
    ["before anything is known of it", {}, 1],
    ["while it does not run", { SKRWebhook: "False", Watch: "True" }, 1],
    ["before it is heard", { SKRWebhook: "True" }, 1],
    ["while it is silent", { SKRWebhook: "True", Watch: "False" }, 1],
    ["never while it is heard", { SKRWebhook: "True", Watch: "True" }, 0],
  ] as const)("are read %s", async (_, conditions, expected) => {
    const { pods, asked } = await observed(conditions);
    assert.deepEqual([pods, asked], [expected === 0 ? [] : found, expected]);
  });
  test.each([
    ["in a runtime that is away", { there: async () => away }],
    [
      "where nothing can be installed yet",
      { secret: async () => undefined, watchers: async () => [{}] as never },
    ],
  ])("are not read %s", async (_, over) => {
    assert.deepEqual(await observed({}, over), { pods: [], asked: 0 });
  });
  const refusal = (kind: KubeError["kind"]) => new KubeError(kind, "no", { request: "GET" });
  it("fail nothing where the runtime forbids to list them", async () => {
    const { pods } = await observed({}, { pods: () => Promise.reject(refusal("forbidden")) });
    assert.deepEqual(pods, []);
  });
  test.each(["unavailable", "aborted"] as const)("are read again where their list was %s", async (kind) => {
    const thrown = refusal(kind);
    await assert.rejects(observed({}, { pods: () => Promise.reject(thrown) }), thrown);
  });
});
