import assert from "node:assert/strict";
import * as fc from "fast-check";
import { test } from "vitest";
import { timeOf } from "../../../../shared/function/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { HistoryEntry } from "../../kinds/index.ts";
import type { Mode, Task } from "../graph/index.ts";
import type { Manifest, Payload } from "../payload/index.ts";
import { gate } from "./gate.ts";
import { look } from "./look.ts";
import { isWrite, stepOf } from "./step.ts";
import { takenSteps, turnEnd, type WriteResult } from "./turn.ts";
import { type GateStep, isGate } from "./walk.ts";
import { type SyncWork, workOf } from "./work.ts";
import { readWork, type WorkRecord, writtenWork } from "./work-record.ts";

const INCLUDED = { "include.release.openshift.io/self-managed-high-availability": "true" };

function manifestOf(file: string, kind: "ConfigMap" | "ClusterOperator", name: string): Manifest {
  const operator = kind === "ClusterOperator";
  const object: KubeObject = {
    apiVersion: operator ? "config.openshift.io/v1" : "v1",
    kind,
    metadata: { name, ...(!operator && { namespace: "n" }), annotations: INCLUDED },
    ...(operator
      ? { spec: {}, status: { versions: [{ name: "operator", version: "2" }] } }
      : { data: { release: "2" } }),
  };
  const [group, version] = operator ? ["config.openshift.io", "v1"] : ["", "v1"];
  return {
    folder: "release-manifests",
    file,
    document: 1,
    group,
    version,
    kind,
    namespace: operator ? "" : "n",
    name,
    object,
    raw: JSON.stringify(object),
  };
}

interface Component {
  readonly level: number;
  readonly files: number;
  readonly operator: boolean;
}
function payloadOf(components: readonly Component[]): Payload {
  const manifests = components
    .map((component, at) => ({ ...component, name: `c${String(at).padStart(2, "0")}` }))
    .toSorted((one, other) => one.level - other.level || (one.name < other.name ? -1 : 1))
    .flatMap(({ level, files, operator, name }) => {
      const place = `0000_${level}_${name}`;
      const maps = Array.from({ length: files }, (_, at) =>
        manifestOf(`${place}_${at}.yaml`, "ConfigMap", `${name}-${at}`),
      );
      return operator ? [...maps, manifestOf(`${place}_9.yaml`, "ClusterOperator", name)] : maps;
    });
  return {
    release: { version: "2", image: "two" },
    major: 2,
    previous: [],
    images: {},
    warnings: [],
    excluded: [],
    versionHash: "hash",
    manifests,
  };
}

const entry = (state: "Completed" | "Partial", image: string): HistoryEntry => ({
  state,
  image,
  version: image === "one" ? "1" : "2",
  startedTime: "2026-01-01T00:00:00Z",
  completionTime: state === "Completed" ? "2026-01-01T00:00:00Z" : null,
  verified: false,
});
const HISTORIES: Readonly<Record<Exclude<Mode, "Reconciling">, readonly HistoryEntry[]>> = {
  Initializing: [entry("Partial", "two")],
  Updating: [entry("Partial", "two"), entry("Completed", "one")],
};

/** A cluster in memory: what is in it, and how far its operators are. */
interface Cluster {
  readonly objects: Map<string, KubeObject>;
  readonly operators: Map<string, "1" | "2">;
  readonly written: Map<string, number>;
}

/** One pass over the cluster, as the runner would do it. `refuses` says which writes fail. */
async function passOver(
  cluster: Cluster,
  payload: Payload,
  history: readonly HistoryEntry[],
  stored: WorkRecord | undefined,
  { now, refuses }: { readonly now: string; readonly refuses: (task: Task) => boolean },
) {
  const work = workOf(
    {
      uid: "u",
      image: "two",
      force: false,
      payload,
      history,
      inclusion: {
        featureGates: new Set(),
        capabilities: { known: new Set(), enabled: new Set() },
        overrides: [],
      },
    },
    stored,
  );
  const { mode } = work;
  const context = { mode, fieldManagers: [] };
  const keyOf = ({ manifest }: Task): string => `${manifest.kind} ${manifest.name}`;
  const gateOf = (task: Task): GateStep => {
    const version = cluster.operators.get(task.manifest.name);
    if (version === undefined) return { step: "gate", finding: "missing" };
    const conditions = [
      { type: "Available", status: "True" },
      { type: "Degraded", status: "False" },
    ];
    const live = { status: { conditions, versions: [{ name: "operator", version }] } };
    const versions = [{ name: "operator", version: "2" }];
    const policy = { mode, blockOnDegraded: true };
    return { step: "gate", finding: gate({ name: task.manifest.name, versions }, live, policy) };
  };
  const failed = new Set(work.record.failures.map(({ task }) => task));
  const seen = await look({
    start: { graph: work.graph, mode, done: work.record.done, failed },
    parallel: 4,
    gateOf,
    stepOf: (task, found) => stepOf(task, found, { context }),
    read: async (task) =>
      mode === "Initializing" && !failed.has(task.index)
        ? { read: "not yet" }
        : { read: "object", live: cluster.objects.get(keyOf(task)) },
  });
  const turn = { work, look: seen, board: JSON.stringify([...cluster.operators]), now };
  const results = new Map<number, WriteResult>();
  for (const chain of seen.chains) {
    for (const operator of chain.operators)
      if (!cluster.operators.has(operator.manifest.name)) cluster.operators.set(operator.manifest.name, "1");
    for (const { task, step } of takenSteps(turn, chain)) {
      if (step.step === "gate" || !isWrite(step)) continue;
      assertPrerequisites(cluster, work, task, keyOf);
      if (refuses(task)) {
        results.set(task.index, {
          state: "failed",
          error: { code: "KUBE_UNAVAILABLE", message: "It is down." },
        });
        break;
      }
      const there = cluster.objects.get(keyOf(task));
      const changed = step.step !== "create" || there === undefined;
      if (changed) {
        cluster.objects.set(keyOf(task), task.manifest.object);
        cluster.written.set(keyOf(task), (cluster.written.get(keyOf(task)) ?? 0) + 1);
      }
      results.set(task.index, { state: "done", live: cluster.objects.get(keyOf(task)), changed });
    }
  }
  const end = turnEnd(
    turn,
    (task) => results.get(task.index) ?? { state: "not run" },
    () => ({ state: "done", live: undefined, changed: true }),
    gateOf,
  );
  return { work, end };
}

/** Whatever comes before a task in the graph holds in the cluster when it is written. */
function assertPrerequisites(
  { objects, operators }: Cluster,
  { graph, mode }: SyncWork,
  task: Task,
  keyOf: (task: Task) => string,
): void {
  const node = graph.nodes.find(({ tasks }) => tasks.includes(task));
  const before = (node?.in ?? []).flatMap((at) => graph.nodes[at]?.tasks ?? []);
  for (const earlier of before) {
    if (!isGate(earlier)) assert.equal(objects.get(keyOf(earlier)), earlier.manifest.object);
    else if (mode === "Updating") assert.equal(operators.get(earlier.manifest.name), "2");
  }
}

test("whatever fails, dies or is forgotten: the order holds, nothing is written twice, and it comes to its end", async () => {
  const component = fc.record({
    level: fc.integer({ min: 1, max: 4 }),
    files: fc.integer({ min: 1, max: 4 }),
    operator: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(component, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("Initializing" as const, "Updating" as const),
      fc.infiniteStream(fc.nat(99)),
      async (components, mode, chance) => {
        const draw = (): number => chance.next().value ?? 0;
        const payload = payloadOf(components);
        const cluster: Cluster = { objects: new Map(), operators: new Map(), written: new Map() };
        if (mode === "Updating")
          for (const { kind, name, object } of payload.manifests)
            if (kind === "ClusterOperator") cluster.operators.set(name, "1");
            else cluster.objects.set(`${kind} ${name}`, { ...object, data: { release: "1" } });
        let record: WorkRecord | undefined;
        let shown = 0;
        for (let turn = 0; turn < 400; turn += 1) {
          const now = timeOf(Date.UTC(2026, 0, 1) + turn * 60_000);
          // The first hundred turns are rough: writes fail, hosts die before they note what they did, operators take their time.
          const rough = turn < 100;
          const { end } = await passOver(cluster, payload, HISTORIES[mode], record, {
            now,
            refuses: () => rough && draw() < 20,
          });
          const [slow] = [...cluster.operators].filter(([, version]) => version === "1");
          if (slow !== undefined && (!rough || draw() < 30)) cluster.operators.set(slow[0], "2");
          const died = rough && draw() < 15;
          const lost = rough && draw() < 5;
          if (end.complete && !died) {
            assert.ok([...cluster.written.values()].every((times) => times === 1));
            assert.equal(end.record.mode, "Reconciling");
            return;
          }
          if (!died) {
            assert.ok(lost || end.done >= shown, "progress never goes back");
            shown = end.done;
            record = readWork({ data: writtenWork(end.record) });
          }
          if (lost) {
            record = undefined;
            shown = 0;
          }
        }
        assert.fail("it came to no end");
      },
    ),
    { numRuns: 60 },
  );
});
