import assert from "node:assert/strict";
import { eventually } from "../../../infra/testing/eventually.ts";
import { follow } from "../../../infra/testing/follow.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { Instance, OperatorVersion } from "../index.ts";
import type { Consumed, ExecutionStatus, InstanceSpec, PlanStatus } from "../kinds/index.ts";

const RUNNING: readonly (ExecutionStatus | undefined)[] = ["PENDING", "IN_PROGRESS", "ERROR"];
const TERMINAL: readonly (ExecutionStatus | undefined)[] = ["COMPLETE", "FATAL_ERROR"];
const isIn =
  (states: readonly (ExecutionStatus | undefined)[]) =>
  ({ status }: Pick<PlanStatus, "status">) =>
    states.includes(status);

/** An auditor of all Instances: it sees every version that the server stored. */
export interface Invariants {
  /** Resolves once it has seen all there is; throws with the first that did not hold. */
  hold(): Promise<void>;
  stop(): Promise<void>;
}

/** Watches Instances from now on, and holds each version of each to I1 to I7: from what is stored alone, as a stranger would. */
export function watchInvariants(client: KubeClient): Invariants {
  const ended = new AbortController();
  const histories = new Map<string, History>();
  const faults: unknown[] = [];
  const following = follow(client, resourceOf(Instance), ended.signal, {
    missed: () => histories.clear(),
    seen: ({ type, object }) => {
      if (type === "DELETED") return;
      const instance = parseObject(Instance, object);
      const { uid } = instance.metadata;
      const history = histories.get(uid) ?? new History();
      histories.set(uid, history);
      try {
        history.look(instance);
      } catch (error) {
        faults.push(error);
      }
    },
  });
  // Told where somebody waits for it, below.
  following.catch((error: unknown) => void faults.push(error));
  return {
    hold: async () => {
      await eventually("all Instances to be audited", async () => {
        const { items } = await client.list(resourceOf(Instance));
        return items.every(
          ({ metadata }) => histories.get(metadata.uid ?? "")?.version === metadata.resourceVersion,
        );
      });
      const [fault] = faults.splice(0);
      if (fault !== undefined) throw fault;
      await assertConsumed(client);
    },
    stop: async () => {
      ended.abort();
      await following;
    },
  };
}

/** The versions of one Instance so far. */
export class History {
  version = "";
  #executions = 0;
  #entries: Readonly<Record<string, PlanStatus>> = {};
  /** The end of each run that has one, and the number of each that began, by uid. */
  readonly #ends = new Map<string, ExecutionStatus | undefined>();
  readonly #runs = new Map<string, number>();

  look({ metadata, spec, status }: Obj<typeof Instance>): void {
    this.version = metadata.resourceVersion;
    // Nobody but this system writes a summary: until then its status is upstream's, or none.
    if (status?.aggregatedStatus === undefined) {
      this.#executions = 0;
      this.#entries = {};
      return;
    }
    const said = JSON.stringify({ lock: spec?.planExecution, status });
    const entries = status.planStatus ?? {};
    const running = Object.entries(entries).filter(([, entry]) => isIn(RUNNING)(entry));
    assert.ok(running.length <= 1, `I1, one runs at most: ${said}`);
    const [plan = "", { uid = "", status: runs } = {}] = running[0] ?? [];
    // What nothing holds is closed by the first pass that saw the lock go.
    if (plan !== "" && status.observedGeneration === metadata.generation)
      assert.deepEqual(
        { plan: spec?.planExecution?.planName, uid: spec?.planExecution?.uid },
        { plan, uid },
        `I2, the lock's run is the one that runs: ${said}`,
      );
    const { activePlanName, activePlanUID, status: summary } = status.aggregatedStatus;
    assert.deepEqual(
      { summary, activePlanName, activePlanUID },
      { summary: runs ?? lastEnd(entries), activePlanName: plan, activePlanUID: uid },
      `I3, the summary follows from the plans: ${said}`,
    );
    this.#ended(entries, said);
    this.#moved(entries, said);
    const executions = status.executions ?? 0;
    assert.ok(executions >= this.#executions, `I7, executions only grow: ${said}`);
    if (executions > this.#executions) this.#began(executions, status.lastStarted, said);
    this.#executions = executions;
    this.#entries = entries;
  }

  #ended(entries: Readonly<Record<string, PlanStatus>>, said: string): void {
    for (const { uid, status } of Object.values(entries)) {
      if (uid === undefined || uid === "") continue;
      const end = this.#ends.get(uid);
      if (end !== undefined) assert.equal(status, end, `I4, a run has one end: ${said}`);
      if (TERMINAL.includes(status)) this.#ends.set(uid, status);
    }
  }

  /** A step that is over in a run stays so, and a run that has begun is not pending again. */
  #moved(entries: Readonly<Record<string, PlanStatus>>, said: string): void {
    for (const [plan, entry] of Object.entries(entries)) {
      const before = this.#entries[plan];
      if (before === undefined || before.uid !== entry.uid || !isIn(RUNNING)(before)) continue;
      assert.ok(entry.status !== "PENDING" || before.status === "PENDING", `a run goes on: ${said}`);
      for (const phase of before.phases ?? [])
        for (const step of phase.steps ?? [])
          if (TERMINAL.includes(step.status)) {
            const now = entry.phases
              ?.find(({ name }) => name === phase.name)
              ?.steps?.find(({ name }) => name === step.name);
            assert.ok(
              now === undefined || now.status === step.status,
              `a step that is over stays so: ${said}`,
            );
          }
    }
  }

  #began(execution: number, started: Consumed | undefined, said: string): void {
    assert.equal(started?.execution, execution, `the last run is remembered: ${said}`);
    const uid = started?.planUID ?? "";
    assert.ok(!this.#runs.has(uid), `I5, no uid runs twice: ${said}`);
    this.#runs.set(uid, execution);
  }
}

const lastEnd = (entries: Readonly<Record<string, PlanStatus>>): ExecutionStatus =>
  Object.values(entries)
    .filter(isIn(TERMINAL))
    .toSorted(
      (one, other) =>
        (one.execution ?? 0) - (other.execution ?? 0) ||
        (one.lastUpdatedTimestamp ?? "").localeCompare(other.lastUpdatedTimestamp ?? ""),
    )
    .at(-1)?.status ?? "NEVER_RUN";

/** I5: at rest, what is asked for is what the last run took, unless it is said why not. */
async function assertConsumed(client: KubeClient): Promise<void> {
  const versions = new Map(
    (await client.list(resourceOf(OperatorVersion))).items.map((raw) => {
      const { metadata, spec } = parseObject(OperatorVersion, raw);
      return [`${metadata.namespace}/${metadata.name}`, spec?.parameters ?? []] as const;
    }),
  );
  for (const raw of (await client.list(resourceOf(Instance))).items) {
    const { metadata, spec, status } = parseObject(Instance, raw);
    const parameters = versions.get(
      `${spec?.operatorVersion?.namespace || metadata.namespace}/${spec?.operatorVersion?.name}`,
    );
    const isTold = status?.conditions?.some(({ type }) => type === "PlanScheduled") === true;
    const isBusy = (spec?.planExecution?.planName ?? "") !== "" || metadata.deletionTimestamp !== undefined;
    if (parameters === undefined || isTold || isBusy) continue;
    const wish = (of: Consumed | InstanceSpec | undefined) => ({
      version: of?.operatorVersion?.name,
      values: parameters.map(({ name = "", default: preset }) => of?.parameters?.[name] ?? preset ?? ""),
    });
    assert.deepEqual(wish(status?.lastStarted), wish(spec), `I5, every change is taken up: ${metadata.name}`);
  }
}
