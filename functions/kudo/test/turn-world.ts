import assert from "node:assert/strict";
import { sameJson } from "../../../shared/json/same-json.ts";
import { admitCreate, admitUpdate } from "../decide/admit/index.ts";
import { type Definition, type InstanceView, sameVersion } from "../decide/definition/index.ts";
import type { TaskReport } from "../decide/run/report.ts";
import { type Turn, turn } from "../decide/run/turn.ts";
import type { InstanceSpec, InstanceStatus, OperatorVersionSpec, PlanExecution } from "../kinds/index.ts";

const NAMESPACE = "shop";
const NOW = "2026-01-05T10:00:00.000Z";

const step = (name: string, ...tasks: readonly string[]) => ({ name, tasks: [...tasks] });
/** A plan of two phases, of which the second has steps side by side. */
export const twoPhases = (strategy: "serial" | "parallel" = "serial") => ({
  strategy,
  phases: [
    { name: "one", strategy: "serial" as const, steps: [step("a", "t1"), step("b", "t2", "t3")] },
    { name: "two", strategy: "parallel" as const, steps: [step("a", "t1"), step("c", "t4"), step("empty")] },
  ],
});
export const definition = (name: string, spec: OperatorVersionSpec): Definition => ({
  metadata: { name, generation: 1 },
  spec,
});

/** An object, an API server that keeps it, and a host that may die between any two writes. */
export class TestWorld {
  readonly versions = new Map<string, Definition>();
  /** `off`: whatever is written is taken. */
  readonly admission: "on" | "off";
  instance: InstanceView | undefined;
  /** Called after each write. */
  readonly #check: (world: TestWorld) => void;
  /** The uids that the system made, by number. */
  #uids = 0;
  denied = 0;
  now = NOW;
  /** The time at which its host is woken, if nothing else wakes it. */
  #wake: string | undefined;
  writes = 0;
  /** The last one who wrote. */
  by: "user" | "controller" = "user";

  constructor(
    admission: "on" | "off",
    versions: readonly Definition[],
    check: (world: TestWorld) => void = () => undefined,
  ) {
    this.admission = admission;
    for (const version of versions) this.versions.set(version.metadata.name, version);
    this.#check = check;
  }

  readonly uid = (): string => `system-${++this.#uids}`;
  versionOf(name: string | undefined): Definition | undefined {
    return this.versions.get(name ?? "");
  }
  get live(): InstanceView {
    assert.ok(this.instance !== undefined, "the Instance is there");
    return this.instance;
  }

  create(spec: InstanceSpec): boolean {
    const sent: InstanceView = {
      metadata: { name: "db", namespace: NAMESPACE, uid: "db-1", generation: 1 },
      spec,
    };
    if (this.admission === "on") {
      const answer = admitCreate(sent, this.versionOf(spec.operatorVersion?.name), this.uid());
      if (!answer.allow) return this.#deny();
      const { planExecution, parameters } = answer.change ?? {};
      this.instance = {
        ...sent,
        spec: patched(spec, planExecution, parameters),
      };
    } else this.instance = sent;
    this.#written("user");
    return true;
  }

  /** A user's edit, or the controller's, through admission where there is one. */
  edit(change: (spec: InstanceSpec) => InstanceSpec, by: "user" | "controller" = "user"): boolean {
    const old = this.live;
    let spec = change(old.spec ?? {});
    if (this.admission === "on") {
      const next = { ...old, spec };
      const answer = admitUpdate(
        old,
        next,
        this.versionOf(spec.operatorVersion?.name),
        this.versionOf(old.spec?.operatorVersion?.name),
        this.uid(),
      );
      if (!answer.allow) {
        assert.equal(by, "user", `our own write was refused: ${answer.allow ? "" : answer.message}`);
        return this.#deny();
      }
      spec = patched(spec, answer.change?.planExecution, answer.change?.parameters);
    }
    if (sameJson(spec, old.spec)) return true;
    const generation = (old.metadata.generation ?? 0) + 1;
    this.instance = { ...old, spec, metadata: { ...old.metadata, generation } };
    this.#written(by);
    return true;
  }

  #deny(): false {
    this.denied += 1;
    return false;
  }
  delete(): void {
    this.instance = { ...this.live, metadata: { ...this.live.metadata, deletionTimestamp: this.now } };
  }
  #status(status: InstanceStatus): void {
    if (sameJson(status, this.live.status)) return;
    this.instance = { ...this.live, status };
    this.#written("controller");
  }
  #written(by: TestWorld["by"]): void {
    this.writes += 1;
    this.by = by;
    this.#check(this);
  }

  decide(): Turn {
    const { instance } = this;
    assert.ok(instance !== undefined);
    const version = this.versionOf(instance.spec?.operatorVersion?.name);
    const started = instance.status?.lastStarted?.operatorVersion;
    const startedVersion =
      started === undefined || sameVersion(started, instance.spec?.operatorVersion, NAMESPACE)
        ? version
        : this.versionOf(started.name);
    return turn({ instance, version, startedVersion }, { now: this.now });
  }

  /** One pass of a host that dies before its first write, its second, or not at all. Returns whether there is more to do. */
  pass(report: (task: string) => TaskReport, diesBefore: 1 | 2 | 0 = 0): boolean {
    if (this.instance === undefined) return false;
    const next = this.decide();
    if (next.do === "wait" || diesBefore === 1) return false;
    if (next.do === "let go") {
      this.instance = undefined;
      return false;
    }
    if (next.do === "lock") {
      const { planExecution: _lock, ...rest } = this.live.spec ?? {};
      this.edit(() => (next.lock === null ? rest : { ...rest, planExecution: next.lock }), "controller");
      if (diesBefore === 2) return false;
      this.#status(next.end.status);
      return next.end.again;
    }
    if (next.do === "run") {
      const named = new Map(
        next.due.flatMap(({ tasks }) =>
          tasks.map(({ name, place }) => [JSON.stringify(place), name] as const),
        ),
      );
      const end = next.end((place) => {
        const name = named.get(JSON.stringify(place));
        return name === undefined ? undefined : report(name);
      });
      this.#status(end.status);
      this.#wake = Object.values(end.wakeAt).sort()[0];
      return end.again;
    }
    this.#wake = undefined;
    const end =
      next.do === "rest" ? next.end({ readiness: { ready: true, message: "" }, present: [] }) : next.end;
    this.#status(end.status);
    return end.again;
  }

  /** Passes until nothing changes any more. */
  settle(report: (task: string) => TaskReport = () => ({ state: "done" })): void {
    for (let passes = 0; passes < 200; passes++) {
      const before = this.writes;
      const more = this.pass(report);
      if (more || before !== this.writes) continue;
      if (this.#wake === undefined || this.#wake <= this.now) return;
      this.now = this.#wake;
    }
    assert.fail("it does not come to rest");
  }
}

function patched(
  spec: InstanceSpec,
  lock: PlanExecution | null | undefined,
  parameters: Readonly<Record<string, string | null>> | undefined,
): InstanceSpec {
  const { planExecution, ...rest } = spec;
  const execution = lock === undefined ? planExecution : (lock ?? undefined);
  const values = { ...rest.parameters };
  for (const [name, value] of Object.entries(parameters ?? {}))
    if (value === null) delete values[name];
    else values[name] = value;
  return { ...rest, parameters: values, ...(execution !== undefined && { planExecution: execution }) };
}
