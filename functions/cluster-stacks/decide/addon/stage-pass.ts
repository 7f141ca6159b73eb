import {
  apply,
  type Duration,
  type Effects,
  later,
  type Obj,
  own,
  type Results,
  remove,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { identityKey } from "../../../../shared/manifests/inventory.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import {
  CHART_MANAGERS,
  type ClusterAddon,
  type Resource,
  type StagePhase,
  WorkloadObject,
  workloads,
} from "../../kinds/index.ts";
import { addonMark, applicationOf, inWaves, OWNED_LABEL, OWNED_VALUE, recreation } from "../apply/index.ts";
import { bad, good } from "../conditions/index.ts";
import { readinessOf } from "./readiness.ts";
import { recordOf } from "./record.ts";
import { goneWait, removing } from "./removal.ts";
import { ongoing, RELEASE_READ, statusOf, withStage } from "./status.ts";
import { isAfterAnothers } from "./target.ts";
import { valueWaits } from "./value-waits.ts";
import { waitPass } from "./wait-pass.ts";
import type { AddonVerdict, AddonWorld, FoundObject, Kept, StageObjects, StageWorld } from "./world.ts";

type Addon = Obj<typeof ClusterAddon>;
type At = Extract<AddonWorld, { readonly step: "stage" }>;

/** The time after which an object that the API server did not take is tried again. */
const RETRY = "20s";

/** Decides what is done next about the stage that the target is at. */
export function stagePass(self: Addon, world: At, deadline: Duration, now: Time) {
  const { stage, there } = world;
  const { index, planned, objects } = stage;
  const said = [readinessOf(there), ...RELEASE_READ];
  const resting = (verdict: AddonVerdict, message: string) => ({
    status: statusOf(
      self,
      {
        verdicts: [...said, verdict],
        fields: { stages: withStage(self.status?.stages, index, { message }) },
      },
      now,
    ),
    waitingFor: valueWaits(stage.valuesOf),
  });
  switch (objects.state) {
    case "missing": {
      const message = `${objects.what} is not there`;
      const verdict = bad(
        "HelmChartTemplated" as const,
        "Error",
        "TemplateNewClusterStackOverwriteFailed",
        message,
      );
      return { ...resting(verdict, message), wakeAt: { values: later(now, "1m") } };
    }
    case "faulty": {
      const message = `stage ${planned.name} of ${world.plan.target.clusterStack}: ${objects.verdict.message ?? ""}; move the Cluster to a version in which that is mended`;
      return resting({ ...objects.verdict, message }, message);
    }
    case "waiting":
      return waitPass(self, world, objects, said, deadline, now);
    case "made":
      return keeping(self, stage, objects, said, now);
    case "kept":
      return planned.action === "apply"
        ? applying(self, world, objects, now)
        : deleting(self, world, objects.found, now);
  }
}

/** Keeps what was rendered, and records it: nothing of it is applied before both stand. */
function keeping(
  self: Addon,
  { index, planned }: StageWorld,
  made: Extract<StageObjects, { readonly state: "made" }>,
  said: readonly AddonVerdict[],
  now: Time,
) {
  const resources = made.objects.map(({ resource }) => resource);
  return {
    effects: [made.parts.map((part) => own(self, Secret, part)), dropping(made.dropped)],
    status: statusOf(
      self,
      {
        verdicts: [
          ...said,
          good("HelmChartTemplated"),
          ongoing(`objects of ${planned.name} are to be ${PAST[planned.action]}: ${resources.length}`),
        ],
        fields: {
          resources: recordOf(self.status?.resources ?? [], resources, planned),
          stages: withStage(self.status?.stages, index, {
            phase: "applyingOrDeleting",
            startedAt: now,
            rendered: made.rendered,
            values: made.values,
          }),
        },
      },
      now,
    ),
    again: true,
  };
}
/** Takes renderings away that no stage asks for. The status still knows of them: what fails is tried again. */
export const dropping = (parts: readonly Kept[]): Effects<"Secret"> =>
  parts.map((part) => remove(Secret, part));

const PAST = { apply: "applied", delete: "deleted" } as const;

/** Applies what the record does not call synced. */
function applying(
  self: Addon,
  { stage, there, plan }: At,
  { objects, found }: Extract<StageObjects, { readonly state: "kept" }>,
  now: Time,
) {
  const anew = recreation(found, addonMark(self), (live) => remove(WorkloadObject, live), goneWait);
  const record = self.status?.resources ?? [];
  const synced = new Set(record.filter(({ status }) => status === "synced").map(identityKey));
  const left = objects
    .filter(({ resource }) => !synced.has(identityKey(resource)) && !anew.isGoing(resource))
    .map(({ object, resource }) => ({ object, resource: { ...resource, stage: stage.planned.name } }));
  // A person who applies an object later, under the same name, keeps what is theirs.
  const labelled = { [OWNED_LABEL]: OWNED_VALUE };
  const succeeds = { managers: CHART_MANAGERS, labels: labelled };
  const waves = inWaves(left, (object) =>
    apply(WorkloadObject, inCluster(object, there.cluster), {
      ...{ force: true, labelled },
      ...(isAfterAnothers(plan.target) && { succeeds }),
    }),
  );
  return {
    effects: [anew.effects, waves.effects],
    conclude: (results: Results) => {
      const application = applicationOf(waves.each, record, results, "workload");
      const { mayPass, isRefused, missing, going, recreates } = application;
      const resources = anew.told(application.resources, results);
      const wanted = new Set(objects.map(({ resource }) => identityKey(resource)));
      const open = resources.filter(
        (resource) => wanted.has(identityKey(resource)) && resource.status !== "synced",
      );
      const isWhole = open.length === 0;
      const message = isWhole ? undefined : leftText(open, objects.length);
      return {
        status: statusOf(
          self,
          {
            verdicts: [
              message === undefined
                ? good("HelmChartApplied")
                : bad("HelmChartApplied", isRefused ? "Error" : "Info", "FailedToApplyObjects", message),
            ],
            fields: {
              resources,
              stages: withStage(
                self.status?.stages,
                stage.index,
                message === undefined ? { phase: afterwards(stage), startedAt: now } : { message },
              ),
            },
          },
          now,
        ),
        again: isWhole || recreates || anew.effects.length > 0,
        ...(!isWhole && {
          waitingFor: [
            ...missing.map((object) => kindWait(object, there.cluster)),
            ...going.map(goneWait),
            ...anew.waits,
            ...valueWaits(stage.valuesOf),
          ],
        }),
        ...((mayPass || anew.isHeldUp(results)) && { wakeAt: { apply: later(now, RETRY) } }),
      };
    },
  };
}

const inCluster = ({ metadata, ...object }: ApplicableObject, cluster: string) => ({
  ...object,
  metadata: { ...metadata, cluster },
});

const leftText = (open: readonly Resource[], all: number): string => {
  const [first] = open;
  return `${open.length} of ${all} objects are not applied, ${first?.kind ?? ""} ${first?.name ?? ""}: ${first?.error ?? ""}`;
};

const kindWait = (
  { apiVersion, kind, metadata: { name, namespace } }: ApplicableObject,
  cluster: string,
): Wait => ({
  for: `the kind ${kind} of ${apiVersion}`,
  object: { apiVersion, kind, name, namespace, cluster: workloads.named(cluster) },
});

/** The phase after a stage's objects are applied, or deleted. */
const afterwards = ({ planned }: StageWorld): StagePhase =>
  planned.waitForPostCondition === undefined ? "done" : "waitingForPostCondition";

/** Deletes the objects of a chart: those that bear our marks. */
function deleting(self: Addon, { stage }: At, found: readonly FoundObject[], now: Time) {
  return removing(self, found, now, (isOver) => ({
    stages: withStage(
      self.status?.stages,
      stage.index,
      isOver ? { phase: afterwards(stage), startedAt: now } : { message: "its objects are on their way out" },
    ),
  }));
}
