import type { SystemSimulation } from "../../shared/function/simulation.ts";
import { hasClusterApi } from "./simulate/crds.ts";
import { playClusterApi } from "./simulate/play.ts";

/** The time that whoever answers hooks may take to register, in milliseconds. */
const GRACE = 3000;

/** Plays Cluster API and a provider of node images, unless the cluster has a Cluster API of its own or is somebody else's. */
export const simulate: SystemSimulation = async (tools) =>
  !tools.own || (await hasClusterApi(tools.client))
    ? { idle: async () => undefined, stop: async () => undefined }
    : playClusterApi(tools, { graceMilliseconds: GRACE });
