import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type Installation, installed, installedPlaces, type WatchedKind } from "./index.ts";

const kymas: WatchedKind = {
  name: "watcher",
  namespace: "kcp-system",
  manager: "lifecycle-manager",
  resource: { group: "operator.kyma-project.io", version: "*", resource: "kymas" },
  labels: { "operator.kyma-project.io/watched-by": "kyma" },
  field: "spec",
};
const installation: Installation = {
  image: "registry.example.org/reveille:1",
  controlPlane: "events.example.org:8443",
  beatSeconds: 60,
  watchers: [kymas],
  authorities: "PEM",
  certificate: { certificate: "leaf", key: "secret", version: "7" },
};
const all = (one: Installation = installation) => {
  const { base, registration } = installed(one);
  return [...base, registration];
};

describe("everything that is put into a runtime", () => {
  it("tells the manager of Kymas that it is alive, and each of what its Watcher names", () => {
    const other: WatchedKind = {
      ...kymas,
      name: "a-first",
      manager: "other-operator",
      resource: { group: "acme.com", version: "*", resource: "stores" },
    };
    const both = { ...installation, watchers: [kymas, other] };
    const variables = new Map(podOf(both).containers[0]?.env.map(({ name, value }) => [name, value]));
    assert.equal(variables.get("BEAT_MANAGER"), "lifecycle-manager");
    const webhooks = installed(both).registration.webhooks as readonly {
      readonly name: string;
      readonly clientConfig: { readonly service: { readonly path: string } };
    }[];
    assert.deepEqual(
      webhooks.map(({ name, clientConfig }) => `${name} ${clientConfig.service.path}`),
      [
        "kcp-system.a-first.operator.kyma-project.io /validate/other-operator",
        "kcp-system.watcher.operator.kyma-project.io /validate/lifecycle-manager",
        "placed.kyma.reveille.dev /validate/lifecycle-manager",
      ],
    );
  });
  it("has no account, no role and no token (R10)", () => {
    assert.deepEqual(
      all().map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      [
        "Secret skr-webhook-tls",
        "PriorityClass skr-webhook-priority",
        "Service skr-webhook",
        "Service skr-webhook-metrics",
        "NetworkPolicy kyma-project.io--seed-to-watcher",
        "NetworkPolicy kyma-project.io--watcher-to-apiserver",
        "NetworkPolicy kyma-project.io--metrics-to-watcher",
        "NetworkPolicy kyma-project.io--watcher-to-dns",
        "Deployment skr-webhook",
        "ValidatingWebhookConfiguration skr-webhook",
      ],
    );
    const text = JSON.stringify(all());
    for (const word of ['ServiceAccount"', "serviceAccountName", "Role", "hostPath", "hostNetwork"])
      assert.ok(!text.includes(word), word);
    const pod = podOf(installation);
    assert.equal(pod.automountServiceAccountToken, false);
    const [container] = pod.containers;
    assert.deepEqual(container?.securityContext, {
      privileged: false,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ["ALL"] },
    });
    for (const { metadata } of all()) {
      assert.equal(metadata.labels["operator.kyma-project.io/managed-by"], "kyma");
      assert.ok([undefined, "kyma-system"].includes(metadata.namespace));
    }
  });

  it("holds no secret but the runtime's own certificate", () => {
    const without = all().filter(({ kind }) => kind !== "Secret");
    const secret = Buffer.from("secret").toString("base64");
    assert.ok(!JSON.stringify(without).includes(secret) && JSON.stringify(all()).includes(secret));
    assert.ok(!JSON.stringify(without).includes('"secret"}'));
  });

  it("asks about each Watcher's objects, and never stands in the way", () => {
    const status: WatchedKind = { ...kymas, name: "a", manager: "other", field: "status" };
    const { registration } = installed({ ...installation, watchers: [kymas, status] });
    const webhooks = registration.webhooks as readonly Readonly<Record<string, unknown>>[];
    assert.deepEqual(
      webhooks.map(({ name }) => name),
      [
        "kcp-system.a.operator.kyma-project.io",
        "kcp-system.watcher.operator.kyma-project.io",
        "placed.kyma.reveille.dev",
      ],
    );
    assert.deepEqual(webhooks[1], {
      name: "kcp-system.watcher.operator.kyma-project.io",
      objectSelector: { matchLabels: { "operator.kyma-project.io/watched-by": "kyma" } },
      rules: [
        {
          apiGroups: ["operator.kyma-project.io"],
          apiVersions: ["*"],
          resources: ["kymas"],
          operations: ["CREATE", "UPDATE", "DELETE"],
        },
      ],
      clientConfig: {
        service: { name: "skr-webhook", namespace: "kyma-system", path: "/validate/lifecycle-manager" },
        caBundle: "UEVN",
      },
      failurePolicy: "Ignore",
      sideEffects: "NoneOnDryRun",
      timeoutSeconds: 15,
      admissionReviewVersions: ["v1"],
    });
    assert.match(JSON.stringify(webhooks[0]), /"kymas\/status"/);
  });

  it("asks about copies of the catalog and definitions of ours as well, where there is a way to tell", () => {
    const webhooksFor = (watchers: readonly WatchedKind[]) =>
      installed({ ...installation, watchers }).registration.webhooks as readonly {
        readonly name: string;
        readonly objectSelector: object;
        readonly rules: readonly { readonly resources: readonly string[] }[];
        readonly clientConfig: { readonly service: { readonly path: string } };
      }[];
    const placed = webhooksFor([kymas]).find(({ name }) => name === "placed.kyma.reveille.dev");
    assert.ok(placed);
    assert.deepEqual(placed.objectSelector, {
      matchLabels: { "operator.kyma-project.io/managed-by": "kyma" },
    });
    assert.deepEqual(
      placed.rules.flatMap(({ resources }) => resources),
      ["modulereleasemetas", "moduletemplates", "customresourcedefinitions"],
    );
    assert.equal(placed.clientConfig.service.path, "/validate/lifecycle-manager");
    assert.deepEqual(webhooksFor([]), []);
  });

  it("lets the program reach the gateway and the name servers alone", () => {
    const egress = all().filter(({ spec }) => JSON.stringify(spec ?? "").includes('"Egress"'));
    assert.deepEqual(
      egress.map(({ spec }) => [...new Set(JSON.stringify(spec).match(/"port":\d+/g))]),
      [['"port":8443'], ['"port":53', '"port":8053']],
    );
    assert.match(
      JSON.stringify(installed({ ...installation, controlPlane: "a.example.org" })),
      /"port":443,/,
    );
  });

  it("is taken away by the same names, the registration first", () => {
    const names = ({ kind, metadata }: { kind: string; metadata: { name: string } }) =>
      `${kind} ${metadata.name}`;
    assert.deepEqual(installedPlaces().map(names), all().toReversed().map(names));
  });

  it("is the same for the same Watchers, whatever their order", () => {
    const other = { ...kymas, name: "other" };
    assert.deepEqual(
      installed({ ...installation, watchers: [kymas, other] }),
      installed({ ...installation, watchers: [other, kymas] }),
    );
  });
});

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly containers: readonly {
    readonly securityContext: object;
    readonly env: readonly { readonly name: string; readonly value: string }[];
  }[];
}
function podOf(one: Installation): PodSpec {
  const found = all(one).find(({ kind }) => kind === "Deployment");
  assert.ok(found);
  return (found.spec as { readonly template: { readonly spec: PodSpec } }).template.spec;
}
