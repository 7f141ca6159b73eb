import { apply, type Effect, type Obj, own, remove, type Wait } from "../../../../shared/function/index.ts";
import { healthOf } from "../../../../shared/kube/health/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Instance, type InstanceSpec, Templated } from "../../kinds/index.ts";
import {
  decorated,
  dependenciesHash,
  dependenciesOf,
  OPERATOR_LABEL,
  PLAN_UID_ANNOTATION,
} from "../decorate/index.ts";
import { type InstanceView, lockOf, versionKey } from "../definition/index.ts";
import { childVerdict, type Verdict, verdictOn } from "../health/index.ts";
import type { TaskReport } from "../run/index.ts";
import { isInstance } from "./child-versions.ts";
import { keyOf, type SeenTask } from "./look.ts";
import {
  bodyOf,
  DONE,
  FORCE,
  failure,
  idle,
  nameOf,
  type RunningTask,
  sighted,
  type TaskContext,
  together,
  unserved,
  type Written,
  waitOn,
} from "./parts.ts";
import { pipeTask } from "./pipe-run.ts";
import type { Child } from "./prepare.ts";
import type { SeenObject } from "./seen.ts";

/** Decides what a task does in this pass, from what was seen. */
export function runTask(seen: SeenTask, context: TaskContext): RunningTask {
  const { prepared } = seen;
  switch (prepared.do) {
    case "report":
      return idle(prepared.report);
    case "child":
      return childTask(prepared.child, seen, context);
    case "pipe":
      return pipeTask(prepared.pipe, seen, context);
    case "delete":
      return together(seen.objects.map((one) => deletion(one)));
    case "apply":
      return together(seen.objects.map((one) => application(one, seen, context)));
  }
}

function deletion(seen: SeenObject): RunningTask {
  const { live, refused } = seen;
  if (refused !== undefined)
    return idle({ state: "fatal", reason: "ResourceValidationError", message: refused });
  // Objects of a kind that nobody knows are gone.
  if (live === undefined) return { ...idle(DONE), sightings: () => sighted(seen, "gone") };
  return removal(seen, live, "is being deleted");
}

/** An object goes with all that belongs to it, and that it is gone is waited for. */
function removal(seen: SeenObject, live: Obj<typeof Templated>, what: string): RunningTask {
  const waiting: TaskReport = {
    state: "waiting",
    message: `${nameOf(live)}: ${what}`,
    waits: [waitOn(seen, live.metadata.namespace ?? "", "to be gone")],
  };
  if (live.metadata.deletionTimestamp !== undefined) return idle(waiting);
  const effect = remove(Templated, live, { foreground: true });
  return { effects: effect, report: (results) => failure(results(effect), nameOf(live)) ?? waiting };
}

function application(seen: SeenObject, task: SeenTask, context: TaskContext): RunningTask {
  const { object, scope, live } = seen;
  const { origin, self } = context;
  if (scope === undefined) return idle(unserved(seen, origin.namespace));
  const job = live === undefined ? undefined : jobOf(live, context);
  if (job === "left alone") return idle(DONE);
  if (job === "made anew" && live !== undefined) return removal(seen, live, "is deleted to be made anew");
  const rendered = new Map(
    task.objects.map((one) => [`${one.object.kind}/${one.object.metadata.name}`, one.object]),
  );
  const hash = dependenciesHash(
    dependenciesOf(object),
    (dependency) => rendered.get(keyOf(dependency)) ?? task.dependencies.get(keyOf(dependency)),
  );
  const body = decorated(object, scope, origin, hash);
  const options = { ...FORCE, ...(seen.unread === true && { unread: true }) };
  const effect: Effect<Written, Obj<typeof Templated>> = scope === "Cluster"
    ? apply(Templated, bodyOf(body), options)
    : own(self, Templated, bodyOf(body), options);
  return {
    effects: effect,
    report: (results) => {
      const result = results(effect);
      if (result.state !== "done") {
        const failed = failure(result, nameOf(object)) ?? DONE;
        const wait = waitOn(seen, origin.namespace, "to be done");
        return isInstance(object) ? denied(failed, live && parseObject(Instance, live), wait) : failed;
      }
      return healthReport(
        verdictOnApplied(result.value, task),
        waitOn(seen, origin.namespace, "to be healthy"),
      );
    },
    sightings: (results) => (results(effect).state === "done" ? sighted(seen, "applied") : []),
  };
}

/** An Instance is a child, whatever applied it. */
function verdictOnApplied(live: Obj<typeof Templated>, task: SeenTask): Verdict {
  if (!isInstance(live)) return verdictOn(live);
  const child = parseObject(Instance, live);
  return verdictOnChild(child, child.spec ?? {}, task);
}

const verdictOnChild = (
  child: Obj<typeof Instance>,
  wanted: Pick<InstanceSpec, "operatorVersion" | "parameters">,
  { versions }: SeenTask,
): Verdict =>
  childVerdict(child, wanted, versions?.get(versionKey(wanted.operatorVersion, child.metadata.namespace)));

/** Admission refuses what does not go with the child's own plan: its end lets it pass, and wakes. */
function denied(report: TaskReport, child: InstanceView | undefined, wait: Wait): TaskReport {
  if (report.state !== "refused") return report;
  const { message } = report;
  return lockOf(child?.spec) === undefined
    ? { state: "failed", message }
    : { state: "waiting", message, waits: [wait] };
}

function healthReport(verdict: Verdict, wait: Wait): TaskReport {
  if (verdict.state === "healthy") return DONE;
  return verdict.state === "failed"
    ? { state: "fatal", reason: "FailedTerminalStateError", message: verdict.message }
    : { state: "waiting", message: verdict.message, waits: [wait] };
}

/** The lot of a Job that is there: its template cannot change, and it runs once. Another's is for `own` to refuse. */
function jobOf(
  live: Obj<typeof Templated>,
  { self, origin, known }: TaskContext,
): "left alone" | "made anew" | undefined {
  if (live.kind !== "Job" || isAnothers(live, self)) return undefined;
  if (live.metadata.deletionTimestamp !== undefined) return "made anew";
  const health = healthOf(live);
  if (health?.state === "ready") return "left alone";
  const isOfThisRun = live.metadata.annotations[PLAN_UID_ANNOTATION] === origin.planUid;
  if (health?.state === "failed") return isOfThisRun ? undefined : "made anew";
  // It was refused once: only a new one can be what is wanted.
  return (known?.refusals ?? 0) > 0 && !isOfThisRun ? "made anew" : undefined;
}

const isAnothers = ({ metadata }: Obj<typeof Templated>, self: Obj<typeof Instance>): boolean =>
  metadata.ownerReferences.some(({ controller, uid }) => controller === true && uid !== self.metadata.uid);

function childTask(child: Child, task: SeenTask, { self }: TaskContext): RunningTask {
  const { namespace } = self.metadata;
  const effect = own(
    self,
    Instance,
    {
      metadata: { name: child.name, labels: { [OPERATOR_LABEL]: child.operator } },
      spec: { operatorVersion: { ...child.spec.operatorVersion }, parameters: { ...child.spec.parameters } },
    },
    { force: true, controller: false },
  );
  const wait: Wait = {
    for: `instance ${child.name} to be done`,
    object: { apiVersion: self.apiVersion, kind: self.kind, name: child.name, namespace },
  };
  return {
    effects: effect,
    report: (results) => {
      const result = results(effect);
      if (result.state !== "done") {
        const failed = failure(result, `instance ${child.name}`) ?? DONE;
        return denied(failed, task.child, wait);
      }
      return healthReport(verdictOnChild(result.value, child.spec, task), wait);
    },
  };
}
