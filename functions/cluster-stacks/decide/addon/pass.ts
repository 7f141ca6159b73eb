import {
  type Duration,
  type Effects,
  note,
  type Obj,
  patch,
  type Time,
} from "../../../../shared/function/index.ts";
import { ClusterAddon, type Resource } from "../../kinds/index.ts";
import { faultText } from "../assets/index.ts";
import { bad, good } from "../conditions/index.ts";
import { ASKED_ANNOTATION } from "../hooks/index.ts";
import { secretWaits } from "../source/index.ts";
import { assetVerdicts, nextAsking } from "./assets.ts";
import { readinessOf } from "./readiness.ts";
import { pendingStages, unsynced } from "./record.ts";
import { removing } from "./removal.ts";
import { dropping, stagePass } from "./stage-pass.ts";
import { isAnswered, isAskedAfterwards } from "./staged-plan.ts";
import { OF_TARGET, ongoing, overcome, RELEASE_READ, statusOf } from "./status.ts";
import { releaseWait } from "./target.ts";
import { unaskedText } from "./unasked.ts";
import { valueWaits } from "./value-waits.ts";
import type { AddonWorld } from "./world.ts";

type Addon = Obj<typeof ClusterAddon>;
type At<Step extends AddonWorld["step"]> = Extract<AddonWorld, { readonly step: Step }>;

/** Decides what is done next about the addons of a Cluster: one step at a time, each resting on what the one before has stored. */
export function addonPass(self: Addon, world: AddonWorld, deadline: Duration, now: Time) {
  switch (world.step) {
    case "no cluster":
    case "no stack":
    case "left alone":
      return {};
    case "away":
      return {
        status: statusOf(self, { verdicts: [readinessOf(world.there)] }, now),
        waitingFor: [world.there.wait],
      };
    case "done":
      return {
        effects: forgotten(self),
        status: statusOf(self, overcome(self, [readinessOf(world.there)]), now),
      };
    case "no assets":
      return withoutAssets(self, world, now);
    case "no plan":
      return unasked(self, world, now);
    case "unrecorded":
      return unrecorded(self, world, now);
    case "new target":
      return begun(self, world, now);
    case "stage":
      return stagePass(self, world, deadline, now);
    case "left over":
      return leftOver(self, world, now);
    case "finished":
      return finished(self, world, now);
  }
}

/** The finalizer only keeps the object as long as its Cluster is there: what is installed goes with the workload cluster. */
export const addonDeletion = (self: Addon, world: AddonWorld, deadline: Duration, now: Time) =>
  world.step === "no cluster" || world.step === "no stack"
    ? { finalized: true }
    : addonPass(self, world, deadline, now);

/** The release is waited for: what it says of itself may be what is missing here. */
function withoutAssets(self: Addon, { there, opening, faults, wanted, secret }: At<"no assets">, now: Time) {
  const isUndone = self.spec?.clusterStack !== wanted.class;
  return {
    effects:
      faults.length === 0
        ? []
        : note(self, "Warning", "ValidateHelmChartFailed", faults.map(faultText).join("; ")),
    status: statusOf(
      self,
      {
        verdicts: [readinessOf(there), ...assetVerdicts(opening, faults)],
        ...(isUndone && { fields: { ready: false } }),
      },
      now,
    ),
    waitingFor: [releaseWait(wanted), ...secretWaits(secret)],
    wakeAt: { assets: nextAsking(opening, now) },
  };
}

/** A question about a class that was left before anything was begun for it: it would begin at once if that class came back. */
const forgotten = (self: Addon): Effects<"ClusterAddon"> =>
  ASKED_ANNOTATION in self.metadata.annotations
    ? patch(ClusterAddon, self, { engine: { hook: null }, annotations: { [ASKED_ANNOTATION]: null } })
    : [];

/** Cluster API is to ask first. What was begun for another class is left as it is until then. */
function unasked(self: Addon, world: At<"no plan">, now: Time) {
  const { there, plan, valuesOf, wanted } = world;
  return {
    status: statusOf(
      self,
      {
        verdicts: [
          readinessOf(there),
          ...RELEASE_READ,
          bad("HookServerReady", "Info", "HookServerUnresponsive", `${plan.waits}: ${unaskedText(world)}`),
        ],
        forget: OF_TARGET,
        fields: { ready: false },
      },
      now,
    ),
    waitingFor: [releaseWait(wanted), ...valueWaits(valuesOf)],
  };
}

/** Nothing is begun before it is known what stands: what the new release lacks would stay for ever. */
function unrecorded(self: Addon, { there, standing, wanted }: At<"unrecorded">, now: Time) {
  const { opening, valuesOf, why } = standing;
  const message = `what ${standing.class} installed is to be recorded first: ${why}`;
  const verdict = bad("HelmChartTemplated", "Info", "TemplateOldClusterStackFailed", message);
  return {
    status: statusOf(
      self,
      { verdicts: [readinessOf(there), ...RELEASE_READ, verdict], fields: { ready: false } },
      now,
    ),
    waitingFor: [releaseWait(wanted), ...valueWaits(valuesOf)],
    wakeAt: { assets: nextAsking(opening ?? { state: "not due" }, now) },
  };
}

/** The Event about objects that nobody will take away. */
const unknownObjects = (
  self: Addon,
  { standing, plan }: Pick<At<"new target">, "standing" | "plan">,
): Effects<never> =>
  standing?.state !== "unknown"
    ? []
    : note(
        self,
        "Warning",
        "ObjectsUnknown",
        `what ${standing.class} installed is not known (${standing.why}): what of it ${plan.target.clusterStack} does not bring stays in the workload cluster; delete it there`,
      );

/** The record with what another program installed. */
const recordedOf = (self: Addon, { standing }: Pick<At<"new target">, "standing">): Resource[] =>
  standing?.state === "known"
    ? standing.resources.map((resource) => ({ ...resource, status: "synced" }))
    : [...(self.status?.resources ?? [])];

/** A new target: from here on only it counts, and nothing in the record is applied for it yet. */
function begun(self: Addon, world: At<"new target">, now: Time) {
  const { there, plan, dropped } = world;
  const { hook } = plan.target;
  const resources = recordedOf(self, world);
  const effects: Effects<"ClusterAddon"> =
    hook === undefined || hook === self.spec?.hook ? [] : patch(ClusterAddon, self, { engine: { hook } });
  return {
    effects: [effects, dropping(dropped), unknownObjects(self, world)],
    status: statusOf(
      self,
      {
        verdicts: [
          readinessOf(there),
          ...RELEASE_READ,
          ongoing(`the addons of ${plan.target.clusterStack} are to be installed`),
        ],
        forget: OF_TARGET,
        fields: {
          ready: false,
          target: plan.target,
          stages: pendingStages(plan, now),
          // The stages after an upgrade add to what stands.
          resources: hook === "AfterClusterUpgrade" ? resources : unsynced(resources),
        },
      },
      now,
    ),
    again: true,
  };
}

/** Deletes what earlier targets brought and this one does not. */
const leftOver = (self: Addon, { found }: At<"left over">, now: Time) =>
  removing(self, found, now, () => ({}));

/** All stages are done, and nothing else is left: the spec says what stands. */
function finished(self: Addon, world: At<"finished">, now: Time) {
  const { plan, there, wanted, dropped, standing, isNew } = world;
  const { target } = plan;
  const { clusterStack, version } = target;
  const effects: Effects<"ClusterAddon"> = patch(ClusterAddon, self, {
    engine: { clusterStack, version, hook: null },
    annotations: {
      ClusterAddonStage: target.from === undefined ? "created" : "upgraded",
      ...(isAnswered(self, target) && { [ASKED_ANNOTATION]: null }),
    },
  });
  return {
    effects: [effects, dropping(dropped), unknownObjects(self, world)],
    status: statusOf(
      self,
      {
        ...overcome(self, [readinessOf(there), ...RELEASE_READ, good("HelmChartApplied")]),
        fields: {
          ready: true,
          target,
          // They are as they were: the upgrade after this one finds them by this record.
          ...(standing?.state === "known" && { resources: recordedOf(self, world) }),
          ...(plan.keepsStages !== true && isNew && { stages: [] }),
        },
      },
      now,
    ),
    // Cluster API may have asked for what comes afterwards while this was not done yet, and does not ask twice.
    again: isAskedAfterwards(self, wanted) && !isAnswered(self, target),
  };
}
