import {
  type Duration,
  type Effects,
  note,
  type Obj,
  patch,
  type Time,
} from "../../../../shared/function/index.ts";
import { ClusterAddon } from "../../kinds/index.ts";
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
import { isSameTarget, releaseWait } from "./target.ts";
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

/** A new target: from here on only it counts, and nothing in the record is applied for it yet. */
function begun(self: Addon, { there, plan, dropped }: At<"new target">, now: Time) {
  const { hook } = plan.target;
  const resources = self.status?.resources ?? [];
  const effects: Effects<"ClusterAddon"> =
    hook === undefined || hook === self.spec?.hook ? [] : patch(ClusterAddon, self, { engine: { hook } });
  return {
    effects: [effects, dropping(dropped)],
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
          resources: hook === "AfterClusterUpgrade" ? [...resources] : unsynced(resources),
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
function finished(self: Addon, { plan, there, wanted, dropped }: At<"finished">, now: Time) {
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
    effects: [effects, dropping(dropped)],
    status: statusOf(
      self,
      {
        ...overcome(self, [readinessOf(there), ...RELEASE_READ, good("HelmChartApplied")]),
        fields: {
          ready: true,
          target,
          ...(plan.keepsStages !== true && !isSameTarget(self.status?.target, target) && { stages: [] }),
        },
      },
      now,
    ),
    // Cluster API may have asked for what comes afterwards while this was not done yet, and does not ask twice.
    again: isAskedAfterwards(self, wanted) && !isAnswered(self, target),
  };
}
