import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Conformance, JudgedObject } from "../../../infra/testing/system/conformance.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";

const TIME = "2026-02-01T08:00:00Z";
const condition = (more: Readonly<Record<string, unknown>> = {}) => ({
  type: "Available",
  status: "True",
  lastTransitionTime: TIME,
  ...more,
});

const operatorObjects: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "no spec": {},
  "an empty spec": { spec: {} },
  "null as spec": { spec: null },
  "a spec with fields": { spec: { paused: true, deep: { a: [1] } } },
  "a spec that is text": { spec: "x" },
  "a status at once": { spec: {}, status: { conditions: [condition()] } },
};
const operatorStatuses: Readonly<Record<string, unknown>> = {
  nothing: {},
  "a whole status": {
    conditions: [
      condition({ reason: "AsExpected", message: "Scheduler answers\nand schedules" }),
      condition({ type: "Progressing", status: "False" }),
      condition({ type: "EvaluationConditionsDetected", status: "Unknown", reason: "A::B" }),
      condition({ type: "OwnThing" }),
    ],
    versions: [
      { name: "operator", version: "5.1.9" },
      { name: "kube-scheduler", version: "1.33.4" },
    ],
    relatedObjects: [
      { group: "", resource: "namespaces", name: "demo" },
      { group: "apps", resource: "deployments", namespace: "demo", name: "" },
    ],
    extension: { nodesDone: 1, deep: { a: [{ b: null }, "c"] } },
  },
  "a word of its own as status": { conditions: [condition({ status: "Perhaps" })] },
  "a condition without a time": { conditions: [{ type: "Available", status: "True" }] },
  "a condition without a status": { conditions: [{ type: "Available", lastTransitionTime: TIME }] },
  "a condition without a type": { conditions: [{ status: "True", lastTransitionTime: TIME }] },
  "a time that is none": { conditions: [condition({ lastTransitionTime: "yesterday" })] },
  "null as a time": { conditions: [condition({ lastTransitionTime: null })] },
  "a type twice": { conditions: [condition(), condition({ status: "False" })] },
  "an unknown field in a condition": { conditions: [condition({ observedGeneration: 3 })] },
  "a reason that is a number": { conditions: [condition({ reason: 3 })] },
  "conditions as a map": { conditions: { Available: condition() } },
  "a version without a name": { versions: [{ version: "1" }] },
  "a version that is a number": { versions: [{ name: "operator", version: 1 }] },
  "a version twice": {
    versions: [
      { name: "operator", version: "1" },
      { name: "operator", version: "2" },
    ],
  },
  "a related object without a group": { relatedObjects: [{ resource: "namespaces", name: "a" }] },
  "a related object without a name": { relatedObjects: [{ group: "", resource: "namespaces" }] },
  "null as the extension": { extension: null },
  "a list as the extension": { extension: [1] },
  "text as the extension": { extension: "x" },
  "an unknown field": { conditions: [], observedGeneration: 4 },
};

const spec = (more: Readonly<Record<string, unknown>>) => ({ spec: { clusterID: "any text", ...more } });
const update = (desiredUpdate: unknown) => spec({ desiredUpdate });
const override = { kind: "Deployment", group: "apps", namespace: "demo", name: "a", unmanaged: true };
const versionObjects: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "no spec": {},
  "no clusterID": { spec: {} },
  "a clusterID that is no UUID": spec({}),
  "an empty clusterID": { spec: { clusterID: "" } },
  "a clusterID that is a number": { spec: { clusterID: 1 } },
  "an unknown field": spec({ automatic: true }),
  "an empty update": update({}),
  "null as update": update(null),
  "a version": update({ version: "5.2.0" }),
  "a version that is none": update({ version: "soon" }),
  "an image, by force": update({ image: "reg.example/rel@sha256:bb", force: true }),
  "force as text": update({ force: "true" }),
  "version and image": update({ version: "5.2.0", image: "i" }),
  "architecture and version": update({ architecture: "Multi", version: "5.2.0" }),
  "architecture without a version": update({ architecture: "Multi", version: "" }),
  "architecture alone": update({ architecture: "Multi" }),
  "architecture and image": update({ architecture: "Multi", version: "5.2.0", image: "i" }),
  "architecture and an empty image": update({ architecture: "Multi", version: "5.2.0", image: "" }),
  "an empty architecture and an image": update({ architecture: "", image: "i" }),
  "another architecture": update({ architecture: "amd64", version: "5.2.0" }),
  "an override": spec({ overrides: [override] }),
  "an override twice": spec({ overrides: [override, { ...override, unmanaged: false }] }),
  "overrides that differ in their namespace": spec({
    overrides: [override, { ...override, namespace: "other" }],
  }),
  "an override without a group": spec({
    overrides: [{ kind: "Namespace", namespace: "", name: "a", unmanaged: true }],
  }),
  "an override without unmanaged": spec({ overrides: [{ ...override, unmanaged: undefined }] }),
  "no capabilities": spec({ capabilities: {} }),
  "null as capabilities": spec({ capabilities: null }),
  "a set": spec({ capabilities: { baselineCapabilitySet: "v4.18" } }),
  "an unknown set": spec({ capabilities: { baselineCapabilitySet: "v9.9" } }),
  "no set": spec({ capabilities: { baselineCapabilitySet: "None", additionalEnabledCapabilities: [] } }),
  "an unknown capability": spec({ capabilities: { additionalEnabledCapabilities: ["Teleport"] } }),
  "a capability twice": spec({ capabilities: { additionalEnabledCapabilities: ["Console", "Console"] } }),
  "marketplace alone": spec({
    capabilities: { baselineCapabilitySet: "None", additionalEnabledCapabilities: ["marketplace"] },
  }),
  "marketplace with what it needs": spec({
    capabilities: {
      baselineCapabilitySet: "None",
      additionalEnabledCapabilities: ["marketplace", "OperatorLifecycleManager"],
    },
  }),
  "marketplace beyond a set": spec({
    capabilities: { baselineCapabilitySet: "v4.11", additionalEnabledCapabilities: ["marketplace"] },
  }),
  "an address and a channel": spec({ upstream: "not an address", channel: "steady-5.2" }),
};

const told = (more: Readonly<Record<string, unknown>> = {}) => ({
  desired: { version: "5.2.0", image: "i@b" },
  observedGeneration: 1,
  versionHash: "qL3xV0b9T2c=",
  availableUpdates: null,
  ...more,
});
const risk = {
  name: "SomeRisk",
  url: "https://example.com/risk",
  message: "It breaks",
  matchingRules: [{ type: "Always" }],
};
const conditional = (more: Readonly<Record<string, unknown>> = {}) =>
  told({ conditionalUpdates: [{ release: { version: "5.2.1", image: "i@c" }, risks: [risk], ...more }] });
const recommended = {
  type: "Recommended",
  status: "False",
  reason: "SomeRisk",
  message: "",
  lastTransitionTime: TIME,
};
const entry = (more: Readonly<Record<string, unknown>> = {}) => ({
  state: "Partial",
  startedTime: TIME,
  completionTime: null,
  version: "5.2.0",
  image: "i@b",
  verified: true,
  ...more,
});
const without = (object: Readonly<Record<string, unknown>>, field: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
const versionStatuses: Readonly<Record<string, unknown>> = {
  nothing: {},
  "what is required": told(),
  ...Object.fromEntries(
    Object.keys(told()).map((field) => [`all that is required but ${field}`, without(told(), field)]),
  ),
  "no updates": told({ availableUpdates: [] }),
  updates: told({
    availableUpdates: [
      { version: "5.2.1", image: "i@c", url: "x", channels: ["a", "b"], architecture: "Multi" },
      { version: "5.2.2", image: "i@d", architecture: "" },
    ],
  }),
  "a channel twice": told({ availableUpdates: [{ version: "1", image: "i", channels: ["a", "a"] }] }),
  "a release without an image": told({ desired: { version: "1" } }),
  "a release of another architecture": told({ desired: { version: "1", image: "i", architecture: "s390x" } }),
  "an observed generation that is a fraction": told({ observedGeneration: 1.5 }),
  history: told({
    history: [entry(), entry({ state: "Completed", completionTime: TIME, acceptedRisks: "None" })],
  }),
  ...Object.fromEntries(
    Object.keys(entry()).map((field) => [
      `history without ${field}`,
      told({ history: [without(entry(), field)] }),
    ]),
  ),
  "history in another state": told({ history: [entry({ state: "Begun" })] }),
  "history with null as its start": told({ history: [entry({ startedTime: null })] }),
  capabilities: told({ capabilities: { enabledCapabilities: ["Console"], knownCapabilities: ["Build"] } }),
  conditions: told({ conditions: [condition(), condition({ type: "Failing", status: "Unknown" })] }),
  "a condition twice": told({ conditions: [condition(), condition()] }),
  "a conditional update": conditional({ conditions: [recommended] }),
  "a conditional update without risks": conditional({ risks: [] }),
  "a conditional update with a risk twice": conditional({ risks: [risk, risk] }),
  "a risk without rules": conditional({ risks: [{ ...risk, matchingRules: [] }] }),
  "a risk with a rule of another type": conditional({
    risks: [{ ...risk, matchingRules: [{ type: "Moon" }] }],
  }),
  "a risk with a query": conditional({
    risks: [{ ...risk, matchingRules: [{ type: "PromQL", promql: { promql: "up" } }] }],
  }),
  "a risk with an empty query object": conditional({
    risks: [{ ...risk, matchingRules: [{ type: "PromQL", promql: {} }] }],
  }),
  "a risk without a message": conditional({ risks: [{ ...risk, message: "" }] }),
  "a risk without a name": conditional({ risks: [{ ...risk, name: "" }] }),
  "a risk whose address is none": conditional({ risks: [{ ...risk, url: "no address" }] }),
  "201 risks": conditional({
    risks: Array.from({ length: 201 }, (_, index) => ({ ...risk, name: `Risk${index}` })),
  }),
  "501 conditional updates": told({
    conditionalUpdates: Array.from({ length: 501 }, () => ({
      release: { version: "1", image: "i" },
      risks: [risk],
    })),
  }),
  "a recommendation that is neither": conditional({ conditions: [{ ...recommended, status: "Perhaps" }] }),
  "a recommendation without a reason": conditional({ conditions: [{ ...recommended, reason: "" }] }),
  "a recommendation with a reason of several words": conditional({
    conditions: [{ ...recommended, reason: "some risk" }],
  }),
  "a recommendation with a type in a domain": conditional({
    conditions: [{ ...recommended, type: "example.com/Recommended" }],
  }),
  "an unknown field": told({ mood: "good" }),
};

/** Objects at the edge of what the schemas allow, on both sides of it. */
const OBJECTS: readonly (Omit<JudgedObject, "title"> & { readonly name: string })[] = [
  ...Object.entries(operatorObjects).map(([name, object]) => ({ name, kind: ClusterOperator, object })),
  ...Object.entries(operatorStatuses).map(([name, status]) => ({
    name: `status with ${name}`,
    kind: ClusterOperator,
    object: { spec: {} },
    status,
  })),
  ...Object.entries(versionObjects).map(([name, object]) => ({ name, kind: ClusterVersion, object })),
  ...Object.entries(versionStatuses).map(([name, status]) => ({
    name: `status with ${name}`,
    kind: ClusterVersion,
    object: spec({}),
    status,
  })),
  {
    name: "marketplace after what it needs was enabled",
    kind: ClusterVersion,
    object: spec({}),
    status: told({ capabilities: { enabledCapabilities: ["OperatorLifecycleManager"] } }),
    afterwards: spec({
      capabilities: { baselineCapabilitySet: "None", additionalEnabledCapabilities: ["marketplace"] },
    }),
  },
  {
    name: "marketplace after another was enabled",
    kind: ClusterVersion,
    object: spec({}),
    status: told({ capabilities: { enabledCapabilities: ["Console"] } }),
    afterwards: spec({
      capabilities: { baselineCapabilitySet: "None", additionalEnabledCapabilities: ["marketplace"] },
    }),
  },
];

const folder =
  process.env.CONFORMANCE_DATA === undefined
    ? undefined
    : join(process.env.CONFORMANCE_DATA, "cluster-version", "crds");
const theirs = (file: string) => (): KubeObject =>
  parse(readFileSync(join(folder ?? "", file), "utf8")) as KubeObject;

/** Our CRDs beside upstream's. */
export const objectsOfUpstream: Conformance = {
  name: "ClusterOperators and ClusterVersions",
  theirs:
    folder === undefined
      ? undefined
      : new Map<Kind, () => KubeObject>([
          [ClusterOperator, theirs("clusteroperators.crd.yaml")],
          [ClusterVersion, theirs("clusterversions-Default.crd.yaml")],
        ]),
  keepsTheSame: true,
  objects: OBJECTS.map(({ name, ...judged }) => ({ ...judged, title: `${judged.kind.kind}: ${name}` })),
};
