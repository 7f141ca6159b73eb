import {
  type ClusterState,
  later,
  note,
  type Obj,
  patch,
  type Results,
  remove,
  type Time,
} from "../../../../shared/function/index.ts";
import { isTrue } from "../../../../shared/kube/conditions.ts";
import { LABELS, Manifest, RUNTIME_KYMA, RUNTIME_NAMESPACE, runtimeKymaWait } from "../../kinds/index.ts";
import { endingOf } from "./ending.ts";
import { handedOver, handingOver } from "./hand-over.ts";
import { installation } from "./install.ts";
import { blocked, removing, takingLeave } from "./removal.ts";
import { statusOf } from "./status.ts";
import type { ManifestWorld } from "./world.ts";

type Self = Obj<typeof Manifest>;

/** The time for which a kubeconfig may be missing before that is an error. */
const SECRET_GRACE = "5m";
/** The time after which a Manifest without its Kyma is deleted. */
const ORPHAN_GRACE = "5m";
const ORPHANED = `orphaned: its Kyma is not there, and it is deleted ${ORPHAN_GRACE} after that was found`;
const UNMARKED = `it waits until its Kyma has marked the runtime as its own (${RUNTIME_NAMESPACE}/${RUNTIME_KYMA} there)`;
const UNLABELLED = `it bears no label ${LABELS.kymaName}: name the Kyma whose runtime it is for`;

/** Decides what is done next about a Manifest: one step at a time, each resting on what the one before has stored. */
export function manifestPass(self: Self, world: ManifestWorld, now: Time) {
  switch (world.step) {
    case "unlabelled":
      return { status: statusOf(self, { state: "Error", message: UNLABELLED }, now) };
    case "mislabelled":
      return relabelled(self, world.kyma);
    case "orphan":
      return orphaned(self, now);
    case "away":
      return away(self, world.there, now);
    case "unmarked":
      return unmarked(self, world, now);
    case "hand over":
      return handingOver(self, world, now);
    case "install": {
      const { effects, report } = installation(self, world.there.cluster, world.install, now);
      return { effects, conclude: (results: Results) => endingOf(self, world.there, report(results), now) };
    }
    // A Manifest that is not being deleted has no such step.
    case "blocked":
    case "removal":
      return {};
  }
}

/** Takes a module out of its runtime. The finalizer goes once all is gone, or once its runtime surely is. */
export function manifestDeletion(self: Self, world: ManifestWorld, now: Time) {
  switch (world.step) {
    case "away":
      // Only a server's answer that there is no such Secret says that the runtime is gone.
      if (world.there.state === "no secret") return takingLeave(self, world.farewells, now);
      return {
        status: statusOf(
          self,
          {
            state: self.status?.state === "Unmanaged" ? "Unmanaged" : "Deleting",
            message: world.there.reason,
          },
          now,
        ),
        waitingFor: [world.there.wait],
      };
    case "hand over":
      return handedOver(self, world, now);
    case "blocked":
      return blocked(self, world, now);
    case "removal":
      return removing(self, world, now);
    case "unlabelled":
      // Nothing was ever installed for it: nobody knows where.
      if ((self.status?.synced ?? []).length === 0) return { finalized: true };
      return { status: statusOf(self, { state: "Deleting", message: UNLABELLED }, now) };
    case "mislabelled":
      return relabelled(self, world.kyma);
    case "orphan":
    case "unmarked":
    case "install":
      return {};
  }
}

function away(self: Self, there: ClusterState, now: Time) {
  const { state, reason, wait } = there;
  const grace = later(self.metadata.creationTimestamp, SECRET_GRACE);
  const isYoung = Date.parse(now) < Date.parse(grace);
  const said = state === "several secrets" || (state === "no secret" && !isYoung) ? "Error" : wordOf(self);
  return {
    status: statusOf(self, { state: said, message: reason }, now),
    waitingFor: [wait],
    ...(state === "no secret" && isYoung && { wakeAt: { secret: grace } }),
  };
}
/** The state of what nobody can look at now: a module that stands in its runtime keeps its word. */
const wordOf = ({ status }: Self) =>
  (status?.synced ?? []).length > 0 ? (status?.state ?? "Processing") : "Processing";

/** Nothing is brought to a cluster that another Kyma may take yet: of two that have it by mistake, the other one could not be rid of it. */
function unmarked(
  self: Self,
  { there, kyma }: Extract<ManifestWorld, { readonly step: "unmarked" }>,
  now: Time,
) {
  // Before its definition is there, a Kyma in the runtime cannot be followed, and the condition tells.
  const marks = isTrue(kyma.status?.conditions, "CRDsSync") ? [runtimeKymaWait(there.cluster)] : [];
  return {
    status: statusOf(self, { state: wordOf(self), message: UNMARKED }, now),
    waitingFor: [there.wait, ...marks],
  };
}

const relabelled = (self: Self, kyma: string) => ({
  effects: patch(Manifest, self, { labels: { [LABELS.kymaName]: kyma } }),
  again: true,
});

function orphaned(self: Self, now: Time) {
  const { lastOperation } = self.status ?? {};
  const since = lastOperation?.operation === ORPHANED ? (lastOperation.lastUpdateTime ?? now) : now;
  const until = later(since, ORPHAN_GRACE);
  if (Date.parse(now) >= Date.parse(until)) return { effects: remove(Manifest, self) };
  return {
    effects: note(self, "Warning", "Orphaned", `Manifest ${self.metadata.name} is ${ORPHANED}`),
    status: statusOf(self, { state: "Error", message: ORPHANED }, now),
    wakeAt: { orphan: until },
  };
}

/** The status of a Manifest whose run failed with an error that nobody expected. */
export const failedManifest = (self: Self, message: string, now: Time) =>
  statusOf(
    self,
    { state: self.metadata.deletionTimestamp === undefined ? "Error" : "Deleting", message },
    now,
  );
