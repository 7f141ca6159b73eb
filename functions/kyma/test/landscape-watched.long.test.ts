// A landscape whose runtimes tell of their changes: its certificates, its routes and the program in its runtimes go on.
import assert from "node:assert/strict";
import { afterEach, describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace, Secret } from "../../../shared/kube/kinds/index.ts";
import { type KubeObject, parseApiVersion } from "../../../shared/kube/object.ts";
import { createAuthority, type Pair } from "../../../shared/tls/index.ts";
import { ADDED_AT, AUTHORITY_SECRET, GATEWAY_SECRET } from "../decide/certificates/index.ts";
import { installed } from "../decide/webhook/index.ts";
import {
  CONTROL_PLANE,
  Gateway,
  Kyma,
  ModuleReleaseMeta,
  ModuleTemplate,
  RUNTIME_NAMESPACE,
  VirtualService,
  Watcher,
} from "../kinds/index.ts";
import { everythingIn } from "./everything.ts";
import { WATCHER } from "./issuing.ts";
import { at, changesIn, landscape, type Scene } from "./landscape-scene.ts";

const THEIRS = { fieldManager: "lifecycle-manager", force: true } as const;
const DAY = 86_400_000;
const CERTIFICATE = "rt-1-webhook-tls";
/** The settings under which Reveille goes on with it. */
const SETTINGS = { watcher: { ...WATCHER, address: "events.example.org", gatewayNamespaces: [] } };

let scene: Scene;
afterEach(() => scene.stop());

const encoded = (text: string): string => Buffer.from(text).toString("base64");
const dataOf = ({ certificate, key }: Pair) => ({ "tls.crt": encoded(certificate), "tls.key": encoded(key) });

/** Writes what the operator before keeps at home for its runtimes. */
async function keepsAtHome(
  client: KubeClient,
): Promise<{ readonly authority: Pair; readonly runtime: Pair }> {
  const now = Date.now();
  const authority = createAuthority({ notBefore: now - DAY, notAfter: now + 300 * DAY });
  const issued = (commonName: string, serverNames: readonly string[]): Pair =>
    authority.issue({
      ...{ commonName, serverNames, client: true },
      ...{ notBefore: now - DAY, notAfter: now + 50 * DAY },
    });
  const service = `skr-webhook.${RUNTIME_NAMESPACE}.svc`;
  const runtime = issued("rt-1", ["rt-1.example.test", service, `${service}.cluster.local`]);
  const server = issued("events.example.org", ["events.example.org"]);
  const bundle = { "ca.crt": encoded(authority.certificate) };
  const secrets: readonly (readonly [
    name: string,
    data: object,
    annotations?: Readonly<Record<string, string>>,
  ])[] = [
    [AUTHORITY_SECRET, { ...bundle, ...dataOf(authority) }],
    [
      GATEWAY_SECRET,
      { ...bundle, ...dataOf(server) },
      { [ADDED_AT]: new Date(now - 9 * DAY).toISOString().replace(/\.\d+/, "") },
    ],
    [CERTIFICATE, { ...bundle, ...dataOf(runtime) }],
  ];
  for (const [name, data, annotations] of secrets)
    await client.apply(
      resourceOf(Secret),
      at(name),
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { ...at(name), ...(annotations && { annotations }) },
        data,
      },
      THEIRS,
    );
  await routed(client);
  return { authority, runtime };
}

/** Writes the gateway, and the route of the Watcher. */
async function routed(client: KubeClient): Promise<void> {
  const labels = { "operator.kyma-project.io/watcher-gateway": "default" };
  const gateway = { name: "klm-watcher", namespace: CONTROL_PLANE };
  await client.apply(
    resourceOf(Gateway),
    gateway,
    {
      apiVersion: "networking.istio.io/v1",
      kind: "Gateway",
      metadata: { ...gateway, labels },
      spec: { servers: [{ hosts: ["events.example.org"] }] },
    },
    { ...THEIRS, fieldManager: "kubectl" },
  );
  const watcher = await client.get(resourceOf(Watcher), at("watcher"));
  const destination = {
    host: `klm-controller-manager-events.${CONTROL_PLANE}.svc.cluster.local`,
    port: { number: 8082 },
  };
  await client.apply(
    resourceOf(VirtualService),
    at("watcher"),
    {
      apiVersion: "networking.istio.io/v1",
      kind: "VirtualService",
      metadata: {
        ...at("watcher"),
        ownerReferences: [
          {
            ...{ apiVersion: "operator.kyma-project.io/v1beta2", kind: "Watcher", name: "watcher" },
            ...{ uid: watcher?.metadata.uid ?? "", controller: true, blockOwnerDeletion: true },
          },
        ],
      },
      spec: {
        gateways: [`${CONTROL_PLANE}/klm-watcher`],
        hosts: ["events.example.org"],
        http: [{ match: [{ uri: { prefix: "/v2/lifecycle-manager/event" } }], route: [{ destination }] }],
      },
    },
    THEIRS,
  );
}

/** Writes the program that the operator before has in a runtime: of the same names, with another image and another environment. */
async function programThere(client: KubeClient, bundle: string, pair: Pair): Promise<void> {
  await client.apply(
    resourceOf(Namespace),
    { name: RUNTIME_NAMESPACE },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: RUNTIME_NAMESPACE } },
    THEIRS,
  );
  const { base, registration } = installed({
    image: "registry.example.test/runtime-watcher:1",
    controlPlane: "events.example.org",
    beatSeconds: 60,
    watchers: [
      {
        ...{
          name: "watcher",
          namespace: CONTROL_PLANE,
          manager: "lifecycle-manager",
          field: "spec" as const,
        },
        resource: { group: "operator.kyma-project.io", version: "*", resource: "kymas" },
        labels: { "operator.kyma-project.io/watched-by": "kyma" },
      },
    ],
    authorities: bundle,
    certificate: { ...pair, version: "1" },
  });
  for (const object of [...base, registration])
    await client.apply(await resourceFor(client, object), object.metadata, formerly(object), THEIRS);
}
async function resourceFor(client: KubeClient, { apiVersion, kind }: KubeObject): Promise<Resource> {
  const { group, version } = parseApiVersion(apiVersion);
  const found = (await client.discover(group, version)).find(
    (one) => one.kind === kind && !one.plural.includes("/"),
  );
  return found ?? assert.fail(kind);
}
/** The object as the operator before has it: its program is another, and is asked about objects of Watchers alone. */
function formerly(object: KubeObject & { readonly webhooks?: unknown }): KubeObject {
  if (object.kind === "Deployment") return formerProgram(object);
  if (!Array.isArray(object.webhooks)) return object;
  const [first] = object.webhooks;
  return Object.assign({}, object, { webhooks: [first] });
}
/** Its container is told otherwise where the control plane is, and has no queue. */
function formerProgram(object: KubeObject): KubeObject {
  const copy = JSON.parse(JSON.stringify(object));
  const pod = copy.spec.template.spec;
  const [container] = pod.containers;
  container.env = [
    { name: "KCP_ADDR", value: "events.example.org" },
    { name: "KCP_CONTRACT", value: "v2" },
    { name: "TLS_CALLBACK", value: "true" },
  ];
  delete container.args;
  container.volumeMounts = container.volumeMounts.slice(0, 1);
  pod.volumes = pod.volumes.slice(0, 1);
  return copy;
}

describe("a landscape whose runtimes tell of their changes", () => {
  it("keeps its authority, its certificates and its routes, and gets our program in place of theirs", async () => {
    scene = await landscape((client) => installKinds(client, [Kyma, ModuleTemplate, ModuleReleaseMeta]));
    const { api, remote } = scene;
    const { authority, runtime } = await keepsAtHome(api.client);
    await programThere(remote.client, authority.certificate, runtime);
    await remote.api.idle();
    const secrets = async () =>
      Object.fromEntries(
        await Promise.all(
          [AUTHORITY_SECRET, GATEWAY_SECRET, CERTIFICATE].map(async (name) => [
            name,
            (await api.client.get(resourceOf(Secret), at(name)))?.data,
          ]),
        ),
      );
    const kept = await secrets();
    const [home, there] = [await everythingIn(api.client), await everythingIn(remote.client)];
    const { settled } = await scene.start(SETTINGS);
    await eventually("it to be ready", scene.isReady);
    await settled();
    assert.deepEqual(await secrets(), kept);
    assert.deepEqual(
      changesIn(home, await everythingIn(api.client)).filter((change) => !/^(Kyma|Manifest) /.test(change)),
      [],
    );
    const changes = changesIn(there, await everythingIn(remote.client));
    assert.deepEqual(
      [...new Set(changes.map((change) => change.split(":")[0]))].filter((name) =>
        /webhook|kyma-project\.io--/.test(name ?? ""),
      ),
      [`Deployment ${RUNTIME_NAMESPACE}/skr-webhook`, "ValidatingWebhookConfiguration skr-webhook"],
    );
  });
});
