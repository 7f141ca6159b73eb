import type { Said } from "../../shared/function/index.ts";
import type { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { configMapsOf } from "./flow-properties.ts";
import type { Platform } from "./kinds/index.ts";

/**
 * Whether the platform is, or just was, the one that the cluster points at: its own status says so. Where it does not say so
 * yet, that it says so later is a change of its own, and all others look again.
 */
export const isHub = ({ name, namespace, clusterPlatform, was }: Said<typeof Platform>): boolean =>
  [clusterPlatform, was?.clusterPlatform].some(
    (said) => said?.platformRef?.name === name && said.platformRef.namespace === namespace,
  );

/** Whether a platform's properties name the ConfigMap. */
export const namesConfigMap = (platform: Platform, { name, namespace }: Said<typeof ConfigMap>): boolean =>
  platform.metadata.namespace === namespace && configMapsOf(platform).includes(name);
