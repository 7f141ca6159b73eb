import { CliError } from "../../../shared/function/command-errors.ts";
import type { Follow } from "../../../shared/function/following.ts";
import { waitUntil } from "../../../shared/function/wait-until.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { choose } from "../decide/choice/index.ts";
import { CLEANUP, entryOf, lockOf } from "../decide/definition/index.ts";
import { Instance, type PlanStatus } from "../kinds/index.ts";
import type { AnInstance, At, AVersion } from "./read.ts";

/** The exit code where a run did not end in time; 1 is a run that failed. */
const TIMEOUT = 2;

/** The one run that is waited for: by its uid, or as the first one that consumes what was written. */
export type WantedRun =
  | { readonly by: "uid"; readonly uid: string }
  | {
      readonly by: "spec";
      /** The number of runs before. */
      readonly after: number;
      readonly spec: AnInstance["spec"];
      /** The generation that was written. */
      readonly generation: number;
      /** The version that the spec names. */
      readonly version: AVersion | undefined;
    };

/** The run that a write asked for. Without admission nobody has named it yet: it will be the one that consumes the spec. */
export function runOf(
  before: AnInstance | undefined,
  written: AnInstance,
  version: AVersion | undefined,
): WantedRun {
  const { uid = "", planName = "" } = written.spec?.planExecution ?? {};
  if (planName !== "" && uid !== "" && uid !== before?.spec?.planExecution?.uid) return { by: "uid", uid };
  return {
    by: "spec",
    after: before?.status?.executions ?? 0,
    spec: written.spec,
    generation: written.metadata.generation ?? 0,
    version,
  };
}

/** The standing of a run, as its Instance tells. */
export type Standing =
  | { readonly state: "not begun" }
  | { readonly state: "running" }
  /** The write was looked at and starts nothing: the last run consumed these values already. */
  | { readonly state: "nothing to do" }
  /** The write starts nothing, as admission would have said. */
  | { readonly state: "refused"; readonly message: string }
  | Ended;
/** The end of a run. */
export interface Ended {
  readonly state: "complete" | "failed" | "superseded";
  readonly plan: PlanStatus;
}

/** The standing of the run that is wanted. Pure. */
export function standingOf(instance: AnInstance, wanted: WantedRun): Standing {
  const { status } = instance;
  const uid = wanted.by === "uid" ? wanted.uid : uidOfSpec(instance, wanted);
  const plans = Object.values(status?.planStatus ?? {});
  const plan = uid === undefined ? undefined : plans.find((one) => one.uid === uid);
  if (plan === undefined) {
    if (wanted.by === "uid") return standingOfRequest(instance, wanted.uid);
    const refusal = refusalOf(status, wanted.generation);
    if (refusal !== undefined) return { state: "refused", message: refusal };
    return { state: startsNothing(instance, wanted) ? "nothing to do" : "not begun" };
  }
  // While it holds the lock the next request would still be refused for its sake. Cleanup never lets go of it.
  if (instance.spec?.planExecution?.uid === uid && instance.metadata.deletionTimestamp === undefined)
    return { state: "running" };
  if (plan.status === "COMPLETE") return { state: "complete", plan };
  if (plan.status === "FATAL_ERROR") return { state: "failed", plan };
  return { state: "running" };
}

/** The standing of a request that no plan's last run fulfils: it still waits, an earlier run did, or it gave way to another. */
function standingOfRequest({ metadata, spec, status }: AnInstance, uid: string): Standing {
  const past = status?.history?.find(({ planUID }) => planUID === uid);
  if (past !== undefined) {
    const { planName: name, status: end, message } = past;
    const plan = { name, uid, status: end, ...(message !== undefined && { message }) };
    return { state: end === "COMPLETE" ? "complete" : "failed", plan };
  }
  const generation = metadata.generation ?? 0;
  // What gives way is told before its lock goes, or by the pass that sees it gone.
  if (spec?.planExecution?.uid === uid || (status?.observedGeneration ?? 0) < generation)
    return { state: "not begun" };
  const refusal = refusalOf(status, generation);
  if (refusal !== undefined) return { state: "refused", message: refusal };
  const begun = status?.lastStarted;
  return begun === undefined
    ? { state: "not begun" }
    : { state: "superseded", plan: { name: begun.planName, uid: begun.planUID } };
}

/** True once the functions have looked at what was written, and nothing of it differs from what the last run consumed. */
function startsNothing(
  { metadata, spec, status }: AnInstance,
  { version, generation }: Extract<WantedRun, { by: "spec" }>,
): boolean {
  const started = status?.lastStarted;
  const looked = (status?.observedGeneration ?? 0) >= Math.max(generation, metadata.generation ?? 0);
  if (!looked || started === undefined || version === undefined || lockOf(spec) !== undefined) return false;
  const { namespace } = metadata;
  return choose({ spec, namespace, started, version, startedVersion: version }).state === "none";
}

/** The reason why nothing begins of a generation, once it was looked at. */
function refusalOf(status: AnInstance["status"], generation: number): string | undefined {
  const held = status?.conditions?.find(
    ({ type, status: state }) => type === "PlanScheduled" && state === "False",
  );
  return held === undefined || (status?.observedGeneration ?? 0) < generation
    ? undefined
    : `${held.reason}: ${held.message}`;
}

function uidOfSpec(
  { status, spec }: AnInstance,
  { after, spec: written }: Extract<WantedRun, { by: "spec" }>,
): string | undefined {
  const begun = status?.lastStarted;
  if (begun === undefined || begun.execution <= after) return undefined;
  const consumed =
    (begun.operatorVersion.name ?? "") === (written?.operatorVersion?.name ?? "") &&
    Object.entries(written?.parameters ?? {}).every(([name, value]) => begun.parameters?.[name] === value);
  // What was asked for anew meanwhile is consumed by a later run, which is no longer ours to judge.
  return consumed || !sameJson(spec?.parameters, written?.parameters) ? begun.planUID : undefined;
}

/** The message of the step that failed, or of the plan. */
const messageOf = ({ name = "", message = "", phases = [] }: PlanStatus): string => {
  const steps = phases.flatMap((phase) => phase.steps ?? []);
  const failed =
    steps.find(({ status }) => status === "FATAL_ERROR") ?? steps.find(({ message: text }) => text);
  return failed?.message || message || `plan ${name} failed and says no more`;
};

/** The means and bounds of following a run. */
export interface Follower {
  readonly follow: Follow;
  readonly limitMilliseconds: number;
  /** Hears of each change, the end among them; `begun`: the run that is followed has. */
  readonly told: (instance: AnInstance, begun: boolean) => void;
}

/**
 * Follows one run to its end, and returns its plan; undefined where there is nothing to do. Throws a `CliError` where it fails (exit code 1) or does not end in time (2).
 */
export async function followRun(
  client: KubeClient,
  at: At,
  wanted: WantedRun,
  { follow, limitMilliseconds, told }: Follower,
): Promise<PlanStatus | undefined> {
  let ended: Ended | undefined;
  let refused: string | undefined;
  let seen: AnInstance | undefined;
  let gone = false;
  let isIdle = false;
  const met = await waitUntil(
    client,
    [Instance],
    (find) => {
      const raw = find({ kind: "Instance", ...at });
      if (raw === undefined) {
        gone = seen !== undefined;
        return gone ? [] : ["it is not there"];
      }
      seen = parseObject(Instance, raw);
      const standing = standingOf(seen, wanted);
      told(seen, standing.state !== "not begun");
      if (standing.state === "refused") {
        refused = standing.message;
        return [];
      }
      isIdle = standing.state === "nothing to do";
      if (standing.state === "nothing to do") return [];
      if (standing.state === "not begun" || standing.state === "running")
        return [seen.metadata.resourceVersion];
      ended = standing;
      return [];
    },
    { follow, limitMilliseconds, told: () => undefined },
  );
  const name = `${at.namespace}/${at.name}`;
  if (!met)
    throw new CliError(
      "CLI_WAIT_TIMEOUT",
      `The plan of instance ${name} did not end in time; it goes on: \`reveille kudo plan status --instance ${at.name} -n ${at.namespace} --wait\` follows it further.`,
      { exitCode: TIMEOUT },
    );
  if (refused !== undefined)
    throw new CliError(
      "CLI_KUDO_REFUSED",
      wanted.by === "uid"
        ? `The plan that was asked for does not begin: ${refused}.`
        : `The change was written, and starts nothing: ${refused}. Take it back, or correct it.`,
    );
  if (isIdle) return undefined;
  if (gone || ended === undefined)
    throw new CliError("CLI_KUDO_NOT_FOUND", `Instance ${name} was deleted while its plan ran.`);
  if (ended.state === "superseded")
    throw new CliError(
      "CLI_KUDO_PLAN_FAILED",
      `Another run took the place of the one that was asked for: plan ${ended.plan.name ?? ""} with uid ${ended.plan.uid ?? ""}.`,
    );
  if (ended.state === "failed")
    throw new CliError(
      "CLI_KUDO_PLAN_FAILED",
      `Plan ${ended.plan.name ?? ""} failed: ${messageOf(ended.plan)}`,
    );
  return ended.plan;
}

/** The cleanup plan of an Instance that stays because of it: nobody runs it again unasked. */
export function failedCleanup({ metadata, spec, status }: AnInstance): PlanStatus | undefined {
  const plan = entryOf(status, CLEANUP);
  const lock = lockOf(spec);
  const isAskedAnew = lock?.plan === CLEANUP && lock.uid !== plan?.uid;
  return metadata.deletionTimestamp !== undefined && plan?.status === "FATAL_ERROR" && !isAskedAnew
    ? plan
    : undefined;
}

/** Waits until an Instance that was deleted is gone. Throws a `CliError` where its cleanup fails (exit code 1) or time is up (2). */
export async function followDeletion(
  client: KubeClient,
  at: At,
  uid: string,
  { follow, limitMilliseconds, told }: Follower,
): Promise<void> {
  let failed: PlanStatus | undefined;
  const met = await waitUntil(
    client,
    [Instance],
    (find) => {
      const raw = find({ kind: "Instance", ...at });
      if (raw?.metadata.uid !== uid) return [];
      const seen = parseObject(Instance, raw);
      told(seen, true);
      failed = failedCleanup(seen);
      return failed === undefined ? [raw.metadata.resourceVersion] : [];
    },
    { follow, limitMilliseconds, told: () => undefined },
  );
  if (failed !== undefined)
    throw new CliError(
      "CLI_KUDO_PLAN_FAILED",
      `Plan ${CLEANUP} failed, so instance ${at.namespace}/${at.name} stays: ${messageOf(failed)}. Mend the cause, and run it again: \`reveille kudo plan trigger --name ${CLEANUP} --instance ${at.name} -n ${at.namespace}\`.`,
    );
  if (!met)
    throw new CliError(
      "CLI_WAIT_TIMEOUT",
      `Instance ${at.namespace}/${at.name} is still there: \`reveille kudo plan status --instance ${at.name} -n ${at.namespace}\` tells how its cleanup stands.`,
      { exitCode: TIMEOUT },
    );
}
