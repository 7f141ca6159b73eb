import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import type { Envelope } from "../../../events/index.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { ensureNamespace } from "../../../infra/testing/system/index.ts";
import { WEBHOOK_REGISTRATIONS } from "../../../infra/testing/webhook-registrations.ts";
import { certifiedIngress, provenByGateway } from "../../../shared/host/http/index.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { Deployment, Lease, Namespace, Secret } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { silent } from "../../../shared/log/log.ts";
import { listener } from "../decide/watch/index.ts";
import { CONTROL_PLANE, Kyma, LABELS, RUNTIME_NAMESPACE, Watcher } from "../kinds/index.ts";
import { GATEWAYS } from "./issuing.ts";
import type { Stage } from "./stage.ts";

const TESTER = { fieldManager: "tester" } as const;
/** The runtime of the scenarios. */
export const RUNTIME_ID = "runtime-4711";

/** Has all Kymas of the control plane watched. */
export async function watchKymas(s: Stage): Promise<void> {
  await ensureNamespace(s.stack.client, GATEWAYS);
  await s.wants({});
  await s.stack.client.patch(
    resourceOf(Kyma),
    { name: "rt-1", namespace: CONTROL_PLANE },
    "merge",
    {
      metadata: {
        labels: { [LABELS.runtimeId]: RUNTIME_ID },
        annotations: { "skr-domain": "rt-1.example.org" },
      },
    },
    TESTER,
  );
  await s.put(
    Watcher,
    { name: "kymas", namespace: CONTROL_PLANE },
    {
      spec: {
        manager: "lifecycle-manager",
        resourceToWatch: { group: "operator.kyma-project.io", version: "*", resource: "kymas" },
        labelsToWatch: { "operator.kyma-project.io/watched-by": "kyma" },
        field: "spec",
        serviceInfo: { name: "events", namespace: CONTROL_PLANE, port: 8082 },
        gateway: { selector: { matchLabels: { "operator.kyma-project.io/watcher-gateway": "default" } } },
      },
    },
  );
  await s.settled();
}

/** A runtime in which the program that is installed there runs. */
export async function watchedRuntime(
  s: Stage,
  options: { readonly controllers?: boolean } = {},
): Promise<RemoteCluster> {
  const there = await s.runtime("rt-1", options);
  await there.client.apply(
    resourceOf(Namespace),
    { name: RUNTIME_NAMESPACE },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: RUNTIME_NAMESPACE } },
    TESTER,
  );
  await watchKymas(s);
  await programRuns(s, there);
  return there;
}

/** Has the program be up. */
export async function programRuns(s: Stage, there: RemoteCluster): Promise<void> {
  await there.client.patch(
    resourceOf(Deployment),
    { name: "skr-webhook", namespace: RUNTIME_NAMESPACE },
    "merge",
    { status: { conditions: [{ type: "Available", status: "True", reason: "MinimumReplicasAvailable" }] } },
    { ...TESTER, subresource: "status" },
  );
  // Its news comes from another cluster, in its own time.
  await eventually(
    "it is heard that it runs",
    async () => (await condition(s, "SKRWebhook"))?.status === "True",
  );
  await s.settled();
}

/** A Secret of the control plane, its entries as text. */
export async function secretOf(
  s: Stage,
  name: string,
  namespace = CONTROL_PLANE,
): Promise<Readonly<Record<string, string>>> {
  const found = await s.get(Secret, { name, namespace });
  assert.ok(found, `Secret ${name} is there`);
  const entries = Object.entries(found.data ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]));
}

/** The certificate of a Secret. */
export async function certificateOf(s: Stage, name: string): Promise<X509Certificate> {
  return new X509Certificate((await secretOf(s, name))["tls.crt"] ?? "");
}

/** The last sign that is stored. */
export const leaseOf = (s: Stage): Promise<Obj<typeof Lease> | undefined> =>
  s.get(Lease, { name: "rt-1-watch", namespace: CONTROL_PLANE });

/** A condition of the Kyma. */
export const condition = async (s: Stage, type: string) =>
  (await s.says()).conditions?.find((one) => one.type === type);

/** Sends to the control plane as a gateway forwards it: with the present certificate of the runtime, unless another is given. */
export async function send(
  s: Stage,
  body: unknown,
  {
    certificate,
    method = "POST",
    settle = true,
  }: {
    readonly certificate?: string | undefined;
    readonly method?: string;
    /** False: what it leads to is not waited for. */
    readonly settle?: boolean;
  } = {},
): Promise<number> {
  const clock = { now: s.now, after: () => () => undefined, sleep: async () => undefined };
  const handler = certifiedIngress({
    triggers: [listener],
    bus: s.stack.engine.bus,
    clock,
    log: silent,
    ear: await s.hearing.ear(),
    prove: provenByGateway({
      authorities: async () => (await secretOf(s, "klm-istio-gateway"))["ca.crt"] ?? "",
      clock,
    }),
  });
  const shown = certificate ?? (await secretOf(s, "rt-1-webhook-tls"))["tls.crt"] ?? "";
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await handler(
    new Request(`http://control-plane/v2/lifecycle-manager/event`, {
      method,
      headers: shown === "" ? {} : { "x-forwarded-client-cert": `Cert="${encodeURIComponent(shown)}"` },
      ...(method === "POST" && { body: text }),
    }),
  );
  if (settle) await s.settled();
  return response.status;
}

/** The signs of life of a program, from its start on: each says how many were sent, and which one was answered last. */
export function program(s: Stage): {
  beat(options?: { readonly settle: boolean }): Promise<number>;
  miss(): void;
} {
  let [sent, answered] = [0, 0];
  return {
    beat: async (options) => {
      sent += 1;
      const status = await send(s, { beat: { number: sent, after: answered, seconds: 60 } }, options);
      if (status === 202) answered = sent;
      return status;
    },
    miss: () => {
      sent += 1;
    },
  };
}

/** The first sign of life of a program. */
export const beat = (s: Stage): Promise<number> => program(s).beat();

/** The events of a type that are published from now on, until `stop`. */
export function heard(s: Stage, type: string): { readonly events: Envelope[]; stop(): void } {
  const events: Envelope[] = [];
  const stop = s.stack.engine.bus.subscribe({
    published: (event) => void (event.type === type && events.push(event)),
  });
  return { events, stop };
}

interface Registered {
  readonly objectSelector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly rules: readonly { readonly apiGroups: readonly string[]; readonly resources: readonly string[] }[];
}

/** Tells of a change as the program would: only what the runtime's API server asks about, by what is registered there. */
export async function tell(
  s: Stage,
  { client }: RemoteCluster,
  kind: Kind,
  { metadata }: KubeObject,
): Promise<void> {
  const { group, version, kind: name, plural } = resourceOf(kind);
  const registered = await client.get(WEBHOOK_REGISTRATIONS, { name: "skr-webhook" });
  const webhooks = (registered?.webhooks ?? []) as readonly Registered[];
  const isAsked = webhooks.some(
    ({ objectSelector: { matchLabels }, rules }) =>
      Object.entries(matchLabels).every(([label, value]) => metadata.labels?.[label] === value) &&
      rules.some(({ apiGroups, resources }) => apiGroups.includes(group) && resources.includes(plural)),
  );
  assert.ok(isAsked, `the API server asks about ${name} ${metadata.name}`);
  const watched = { Namespace: metadata.namespace ?? "", Name: metadata.name };
  assert.equal(await send(s, { watched, watchedGvk: { group, version, kind: name } }), 202);
}
