import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import type { Conformance } from "../../../infra/testing/system/conformance.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ClusterPlatform, Platform, Workflow } from "../index.ts";

/** A folder with the CRDs, samples and test objects of SonataFlow's own repository; undefined: the tests are skipped. */
export const folder =
  process.env.CONFORMANCE_DATA === undefined ? undefined : join(process.env.CONFORMANCE_DATA, "sonataflow");

const KINDS: Readonly<Record<string, Kind>> = {
  SonataFlowClusterPlatform: ClusterPlatform,
  SonataFlowPlatform: Platform,
  SonataFlow: Workflow,
};
/** Every object of these kinds there is, by file. */
export function objectsIn(
  from: string,
): readonly { readonly file: string; readonly kind: Kind; readonly object: KubeObject }[] {
  return ["samples", "testdata"].flatMap((part) =>
    readdirSync(join(from, part)).flatMap((file) =>
      parseAllDocuments(readFileSync(join(from, part, file), "utf8")).flatMap((document) => {
        const object = document.toJS() as KubeObject | null;
        const kind = object === null ? undefined : KINDS[object.kind];
        return object === null || kind === undefined ? [] : [{ file: `${part}/${file}`, kind, object }];
      }),
    ),
  );
}

type Tree = Readonly<Record<string, unknown>>;
const postgres = (more: Tree): Tree => ({
  services: { dataIndex: { persistence: { postgresql: { secretRef: { name: "s" }, ...more } } } },
});
const state = (more: Tree): Tree => ({ flow: { states: [{ name: "A", type: "inject", ...more }] } });
/** Specs at the edge of what the schemas allow, on both sides of it. */
const EDGES: readonly { readonly name: string; readonly kind: Kind; readonly spec: unknown }[] = [
  ...Object.entries({
    "no spec": undefined,
    "no platformRef": {},
    "no namespace": { platformRef: { name: "a" } },
    "a number as a name": { platformRef: { name: 1, namespace: "b" } },
    "an unknown capability": {
      platformRef: { name: "a", namespace: "b" },
      capabilities: { workflows: ["build"] },
    },
    "no capabilities": { platformRef: { name: "a", namespace: "b" }, capabilities: { workflows: [] } },
    "a capability": { platformRef: { name: "a", namespace: "b" }, capabilities: { workflows: ["services"] } },
    "a spec that is text": "x",
  }).map(([name, spec]) => ({ name, kind: ClusterPlatform as Kind, spec })),
  ...Object.entries({
    "no spec": undefined,
    "empty services": { services: {} },
    "null services": { services: null },
    "services as a list": { services: [] },
    "enabled as text": { services: { dataIndex: { enabled: "yes" } } },
    "a database without an address": postgres({}),
    "a database with two addresses": postgres({
      jdbcUrl: "jdbc:postgresql://h/d",
      serviceRef: { name: "pg" },
    }),
    "a database by its Service": postgres({ serviceRef: { name: "pg", port: 5432, databaseSchema: "x" } }),
    "a port as text": postgres({ serviceRef: { name: "pg", port: "5432" } }),
    "a Service without a name": postgres({ serviceRef: { port: 1 } }),
    "a database without a secret": {
      persistence: { postgresql: { jdbcUrl: "x", serviceRef: { name: "pg" } } },
    },
    "two ways to persist": {
      persistence: { postgresql: { secretRef: { name: "s" }, jdbcUrl: "x" }, other: {} },
    },
    "empty persistence": { persistence: {}, services: { jobService: { persistence: {} } } },
    "a property without a name": { properties: { flow: [{ value: "x" }] } },
    "a property from a Secret": {
      properties: { flow: [{ name: "x", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }] },
    },
    "a property from a Secret without a key": {
      properties: { flow: [{ name: "x", valueFrom: { secretKeyRef: { name: "s" } } }] },
    },
    "a pod template": {
      services: {
        jobService: {
          podTemplate: {
            replicas: 2,
            nodeSelector: { a: "b" },
            container: { image: "i", env: [{ name: "A", value: "1" }] },
            tolerations: [{ operator: "Exists" }],
          },
        },
      },
    },
    "a variable twice": {
      services: { jobService: { podTemplate: { container: { env: [{ name: "A" }, { name: "A" }] } } } },
    },
    "a variable without a name": {
      services: { jobService: { podTemplate: { container: { env: [{ value: "1" }] } } } },
    },
    "replicas as text": { services: { jobService: { podTemplate: { replicas: "2" } } } },
    "replicas beyond 32 bits": { services: { jobService: { podTemplate: { replicas: 3_000_000_000 } } } },
    "a further container without a name": {
      services: { jobService: { podTemplate: { containers: [{ image: "x" }] } } },
    },
    "a quantity": { build: { template: { resources: { limits: { cpu: "100m", memory: 1 } } } } },
    "no quantity": { build: { template: { resources: { limits: { cpu: "much" } } } } },
    "a broker": { eventing: { broker: { ref: { kind: "Broker", name: "b" } } } },
    "a broker without a name": { eventing: { broker: { ref: { kind: "Broker" } } } },
    "a build": {
      build: {
        config: { strategyOptions: { a: "b" }, registry: { insecure: true } },
        template: { buildArgs: [{ name: "A" }], timeout: "5m" },
      },
    },
    "a build argument without a name": { build: { template: { buildArgs: [{ value: "x" }] } } },
  }).map(([name, spec]) => ({ name, kind: Platform as Kind, spec })),
  ...Object.entries({
    "no spec": undefined,
    "no flow": {},
    "no states": { flow: { states: [] } },
    "a state": state({}),
    "a state of an unknown type": { flow: { states: [{ name: "A", type: "dance" }] } },
    "a state without a name": { flow: { states: [{ type: "inject" }] } },
    "fields of its type": state({ data: { deep: [1] }, actions: [{ anything: true }], timeouts: 7 }),
    "a transition as text and as an object": {
      flow: {
        states: [
          { name: "A", type: "inject", transition: "B" },
          { name: "B", type: "inject", transition: { nextState: "A" }, end: true },
        ],
      },
    },
    "published field names": {
      flow: {
        states: [
          {
            name: "A",
            type: "operation",
            operationState: { actions: [{ functionRef: { refName: "f", invoke: "async" } }] },
          },
        ],
      },
    },
    "published field names, wrong": {
      flow: {
        states: [
          {
            name: "A",
            type: "operation",
            operationState: { actions: [{ functionRef: { invoke: "later" } }] },
          },
        ],
      },
    },
    "a parallel state without branches": {
      flow: { states: [{ name: "A", type: "parallel", parallelState: { branches: [] } }] },
    },
    "a function of an unknown type": {
      flow: {
        functions: [{ name: "f", operation: "o", type: "soap" }],
        states: [{ name: "A", type: "inject" }],
      },
    },
    "a function without an operation": {
      flow: { functions: [{ name: "f" }], states: [{ name: "A", type: "inject" }] },
    },
    "an event of an unknown kind": {
      flow: { events: [{ name: "e", type: "t", kind: "heard" }], states: [{ name: "A", type: "inject" }] },
    },
    "a retry without attempts": {
      flow: { retries: [{ name: "r" }], states: [{ name: "A", type: "inject" }] },
    },
    "attempts as number and text": {
      flow: {
        retries: [
          { name: "r", maxAttempts: 3 },
          { name: "s", maxAttempts: "3" },
        ],
        states: [{ name: "A", type: "inject" }],
      },
    },
    constants: { flow: { constants: { a: "aGVsbG8=" }, states: [{ name: "A", type: "inject" }] } },
    "constants that are not encoded": {
      flow: { constants: { a: "hello world" }, states: [{ name: "A", type: "inject" }] },
    },
    "time-outs": {
      flow: {
        timeouts: { eventTimeout: "PT1S", workflowExecTimeout: { interrupt: true } },
        states: [{ name: "A", type: "inject" }],
      },
    },
    "an input schema without its flag": {
      flow: { dataInputSchema: { schema: "x" }, states: [{ name: "A", type: "inject" }] },
    },
    "a deployment model": { ...state({}), podTemplate: { deploymentModel: "knative" } },
    "an unknown deployment model": { ...state({}), podTemplate: { deploymentModel: "lambda" } },
    resources: { ...state({}), resources: { configMaps: [{ configMap: { name: "c" }, workflowPath: "p" }] } },
    "resources without a ConfigMap": { ...state({}), resources: { configMaps: [{ workflowPath: "p" }] } },
    "a sink and sources": {
      ...state({}),
      sink: { uri: "http://x" },
      sources: [{ eventType: "t", ref: { kind: "Broker", name: "b" } }],
    },
    "a source without a type": { ...state({}), sources: [{ uri: "http://x" }] },
    "a workflow's database": {
      ...state({}),
      persistence: { postgresql: { secretRef: { name: "s" }, jdbcUrl: "x" }, migrateDBOnStartUp: true },
    },
    "a workflow's database without an address": {
      ...state({}),
      persistence: { postgresql: { secretRef: { name: "s" } } },
    },
  }).map(([name, spec]) => ({ name, kind: Workflow as Kind, spec })),
];

/** Our CRDs beside those of SonataFlow's own repository, with its objects and ours at the edge. */
export const objectsOfUpstream: Conformance = {
  name: "SonataFlow's objects",
  theirs:
    folder === undefined
      ? undefined
      : new Map(Object.values(KINDS).map((kind) => [kind, () => theirCrd(kind, folder)])),
  // A service that says nothing of enabled is enabled, for one.
  keepsTheSame: false,
  objects: [
    ...(folder === undefined ? [] : objectsIn(folder)).map(({ file, kind, object }) => ({
      title: file,
      kind,
      object,
      valid: true as const,
    })),
    ...EDGES.map(({ name, kind, spec }) => ({
      title: `${kind.kind} with ${name}`,
      kind,
      object: spec === undefined ? {} : { spec },
    })),
  ],
};

const theirCrd = (kind: Kind, from: string): KubeObject =>
  parse(readFileSync(join(from, "crds", `sonataflow.org_${kind.plural}.yaml`), "utf8")) as KubeObject;
