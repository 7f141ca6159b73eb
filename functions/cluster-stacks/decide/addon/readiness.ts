import type { ClusterState } from "../../../../shared/function/index.ts";
import { bad, good } from "../conditions/index.ts";
import type { AddonVerdict } from "./world.ts";

/** The verdict about a workload cluster: its kubeconfig comes with its control plane. */
export const readinessOf = ({ state, reason }: Pick<ClusterState, "state" | "reason">): AddonVerdict =>
  state === "reachable"
    ? good("ClusterReady")
    : bad("ClusterReady", state === "no secret" ? "Warning" : "Info", "ControlPlaneNotReady", reason);
