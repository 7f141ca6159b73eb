import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { crdObject, installCrd } from "../../../infra/testing/install-crds.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ClusterVersion } from "../kinds/index.ts";

const KIND = resourceOf(ClusterVersion);
const USER = { fieldManager: "user" } as const;
const NOW = "2026-02-03T09:00:00Z";
const condition = (type: string) => ({
  type,
  status: "True",
  reason: "MatchingRule",
  message: "It matches",
  lastTransitionTime: NOW,
});
const risk = (...conditions: readonly object[]) => ({
  name: "Leaks",
  url: "https://risk.example/leaks",
  message: "It leaks.",
  matchingRules: [{ type: "Always" }],
  ...(conditions.length > 0 && { conditions }),
});
const status = (more: object): object => ({
  desired: { version: "5.1.9", image: "i" },
  observedGeneration: 1,
  versionHash: "x",
  availableUpdates: null,
  ...more,
});
const offered = (more: object, one = risk()): object =>
  status({ conditionalUpdates: [{ release: { version: "5.2.0", image: "j" }, risks: [one], ...more }] });

/** The schema's answers to fields that upstream keeps behind feature gates. A row without words is taken and kept. */
const SPECS: readonly (readonly [name: string, spec: object, refused?: RegExp])[] = [
  ["preflight", { desiredUpdate: { version: "5.2.0", mode: "Preflight" } }],
  ["preflight without force", { desiredUpdate: { version: "5.2.0", mode: "Preflight", force: false } }],
  ["a mode of no name", { desiredUpdate: { version: "5.2.0", mode: "" } }, /Unsupported value: ""/],
  [
    "a mode and force",
    { desiredUpdate: { version: "5.2.0", mode: "Preflight", force: true } },
    /force and mode are mutually exclusive/,
  ],
  ["accepted risks", { desiredUpdate: { version: "5.2.0", acceptRisks: [{ name: "A" }, { name: "B" }] } }],
  [
    "an accepted risk twice",
    { desiredUpdate: { acceptRisks: [{ name: "A" }, { name: "A" }] } },
    /Duplicate value/,
  ],
  ["a long name of a risk", { desiredUpdate: { acceptRisks: [{ name: "a".repeat(257) }] } }, /Too long/],
  ...["ClusterAPI", "CompatibilityRequirements"].map(
    (name) =>
      [
        name,
        { capabilities: { baselineCapabilitySet: "None", additionalEnabledCapabilities: [name] } },
      ] as const,
  ),
  [
    "a capability that nobody knows",
    { capabilities: { additionalEnabledCapabilities: ["No"] } },
    /Unsupported value/,
  ],
  ["signature stores", { signatureStores: [{ url: "https://one.example" }, { url: "https://two.example" }] }],
  [
    "a store without a scheme",
    { signatureStores: [{ url: "one.example" }] },
    /url must be a valid absolute URL/,
  ],
];
const STATUSES: readonly (readonly [name: string, status: object, refused?: RegExp])[] = [
  ["the condition of an update's risk", offered({ riskNames: ["Leaks"] }, risk(condition("Applies")))],
  ["risks of all updates", status({ conditionalUpdateRisks: [risk(condition("Applies"))] })],
  ["no names of risks", offered({ riskNames: [] }), /should have at least 1 items/],
  ["the name of a risk twice", offered({ riskNames: ["Leaks", "Leaks"] }), /Duplicate value: "Leaks"/],
  [
    "a risk with another condition",
    status({ conditionalUpdateRisks: [risk(condition("Wrong"))] }),
    /must contain a condition of type 'Applies'/,
  ],
  [
    "a risk with two conditions",
    status({ conditionalUpdateRisks: [risk(condition("Applies"), condition("Wrong"))] }),
    /Too many: 2: must have at most 1 item/,
  ],
];

/** The server takes, refuses and keeps them under the CRD of ours. */
export function gatedSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane() : false;
  describe(`fields behind feature gates on the ${api} API`, { skip: skip !== false }, () => {
    let server: TestApi;
    beforeAll(async () => {
      server = await startTestApi({ api, controllers: false });
      await installCrd(server.client, crdObject(ClusterVersion), KIND);
    });
    afterAll(() => server.stop());
    const made = (name: string, spec: object): Promise<KubeObject> =>
      server.client.create(
        KIND,
        {
          apiVersion: "config.openshift.io/v1",
          kind: "ClusterVersion",
          metadata: { name },
          spec: { clusterID: "x", ...spec },
        },
        USER,
      );
    for (const [index, [name, spec, refused]] of SPECS.entries())
      test(`${name} in the spec`, async () => {
        if (refused !== undefined) return assert.rejects(made(`s${index}`, spec), refused);
        assert.deepEqual((await made(`s${index}`, spec)).spec, { clusterID: "x", ...spec });
      });
    for (const [index, [name, told, refused]] of STATUSES.entries())
      test(`${name} in the status`, async () => {
        const object = await made(`t${index}`, {});
        const write = () =>
          server.client.replace(KIND, object.metadata, { ...object, status: told } as KubeObject, {
            ...USER,
            subresource: "status",
          });
        if (refused !== undefined) return assert.rejects(write, refused);
        assert.deepEqual((await write()).status, told);
      });
  });
}
