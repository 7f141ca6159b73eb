import {
  type ClusterState,
  note,
  type Obj,
  type Results,
  setStatus,
  type Time,
} from "../../../../shared/function/index.ts";
import { isTrue } from "../../../../shared/kube/conditions.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import { type Kyma, RuntimeKyma, runtimeKymaWait } from "../../kinds/index.ts";
import { tellsOfChanges } from "../conditions/index.ts";
import { isRefused, triedAgain } from "../manifest/index.ts";
import { copiedStatus } from "./kyma-copy.ts";
import { whereServed } from "./observe.ts";

/** Everything that the status of the Kyma in a runtime follows from. */
export type StatusWorld =
  /** Modules go into the control plane's own cluster, or the Kyma in the runtime is yet to be made. */
  | { readonly step: "none" }
  | { readonly step: "away"; readonly there: ClusterState }
  | {
      readonly step: "there";
      readonly there: ClusterState;
      /** Undefined: somebody deleted it, and it is made anew. */
      readonly kyma: Obj<typeof RuntimeKyma> | undefined;
    };

/** Reads the Kyma in a runtime. */
export async function observeStatus(
  { status }: Pick<Obj<typeof Kyma>, "status">,
  { target }: { readonly target: "secret" | "local" },
  reads: {
    there(): Promise<ClusterState>;
    kyma(): Promise<Obj<typeof RuntimeKyma> | undefined>;
  },
): Promise<StatusWorld> {
  // Its kind is there before it is, and that is said of it last.
  if (target === "local" || !isTrue(status?.conditions, "CRDsSync")) return { step: "none" };
  const there = await reads.there();
  if (there.state !== "reachable") return { step: "away", there };
  return { step: "there", there, kyma: await whereServed(reads.kyma) };
}

/** Copies the status of a Kyma into its runtime, where its user sees it (3.8). */
export function statusPass(self: Obj<typeof Kyma>, world: StatusWorld, now: Time) {
  const { status } = self;
  if (world.step === "none") return {};
  const { there } = world;
  if (world.step === "away") return { waitingFor: [there.wait] };
  const { kyma } = world;
  const isTold = kyma !== undefined && tellsOfChanges(status);
  const waitingFor = isTold ? [there.wait] : [there.wait, runtimeKymaWait(there.cluster)];
  if (kyma === undefined || isDeleting(kyma) || status === undefined) return { waitingFor };
  return {
    effects: setStatus(RuntimeKyma, kyma, copiedStatus(status)),
    conclude: (results: Results) => {
      const refused = results.failed.find(({ error }) => isRefused(error))?.error;
      if (refused === undefined) return { waitingFor, retry: true };
      const words = `The status cannot be written into the Kyma in the runtime: ${refused.message}`;
      return {
        waitingFor,
        wakeAt: triedAgain(refused, now),
        record: note(self, "Warning", "StatusNotTold", words),
      };
    },
  };
}
