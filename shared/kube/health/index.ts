import { type KubeObject, parseApiVersion } from "../object.ts";
import { apiServiceHealth, definitionHealth } from "./apis.ts";
import { deploymentHealth } from "./deployment.ts";
import type { Health, Readable } from "./health.ts";
import { jobHealth, podHealth } from "./runs.ts";
import { daemonSetHealth, statefulSetHealth } from "./workloads.ts";

export { type DeploymentReading, readDeployment } from "./deployment.ts";
export type { Health, Readable, Statement, Unready } from "./health.ts";

const READERS: Readonly<Record<string, (live: Readable) => Health>> = {
  "apps/Deployment": deploymentHealth,
  "apps/StatefulSet": statefulSetHealth,
  "apps/DaemonSet": daemonSetHealth,
  "batch/Job": jobHealth,
  "/Pod": podHealth,
  "apiextensions.k8s.io/CustomResourceDefinition": definitionHealth,
  "apiregistration.k8s.io/APIService": apiServiceHealth,
};

/** The health of an object, as its own status tells; undefined for kinds whose status says nothing that is known here. */
export const healthOf = (live: Readable & Pick<KubeObject, "apiVersion" | "kind">): Health | undefined =>
  READERS[`${parseApiVersion(live.apiVersion).group}/${live.kind}`]?.(live);
