import { isDeepStrictEqual } from "node:util";
import type { Said } from "../../../../shared/function/index.ts";
import type { ConfigMap } from "../../../../shared/kube/kinds/index.ts";
import type { Platform } from "../../kinds/index.ts";
import { configMapsOf } from "./flow-properties.ts";

/** True where a step said only that the status has caught up with the spec: nothing for anybody outside the namespace. */
const onlyCaughtUp = ({ was, ...said }: Said<typeof Platform>): boolean =>
  was !== undefined &&
  was.observedGeneration !== said.observedGeneration &&
  Object.entries(was).every(
    ([fact, value]) =>
      fact === "observedGeneration" || isDeepStrictEqual(value, said[fact as keyof typeof said]),
  );

/**
 * True where the platform is, or just was, the one that the cluster points at: its own status says so. Where it does not say so
 * yet, that it says so later is a change of its own, and all others look again.
 */
export const isHub = (said: Said<typeof Platform>): boolean =>
  !onlyCaughtUp(said) &&
  [said.clusterPlatform, said.was?.clusterPlatform].some(
    (reference) =>
      reference?.platformRef?.name === said.name && reference.platformRef.namespace === said.namespace,
  );

/** True where a platform's properties name the ConfigMap. */
export const namesConfigMap = (platform: Platform, { name, namespace }: Said<typeof ConfigMap>): boolean =>
  platform.metadata.namespace === namespace && configMapsOf(platform).includes(name);

/** True where a platform came, went, or is not ready for another reason: its readiness tells that it became ready or was lost. */
export const isUnreadyOtherwise = ({
  succeed,
  reason,
  gone,
  was,
}: Pick<Said<typeof Platform>, "succeed" | "reason" | "gone" | "was">): boolean =>
  gone ||
  was === undefined ||
  (succeed !== "True" && was.succeed !== "True" && (was.succeed !== succeed || was.reason !== reason));
