import { ownManager, webhookConfiguration } from "./configuration.ts";
import { networkPolicies } from "./network.ts";
import { deployment, priorityClass, services, tlsSecret } from "./program.ts";
import type { Installation, InstalledObject } from "./words.ts";

/**
 * Everything that the control plane puts into a runtime to hear of changes there, in the order in which it is applied: the webhook is registered last,
 * once there is something to ask. No account and no role is among it.
 */
export function installed(installation: Installation): {
  readonly base: readonly InstalledObject[];
  readonly registration: InstalledObject;
} {
  const { watchers, controlPlane, authorities } = installation;
  return {
    base: [
      tlsSecret(installation),
      priorityClass(),
      ...services(),
      ...networkPolicies(controlPlane),
      deployment(installation, ownManager(watchers) ?? ""),
    ],
    registration: webhookConfiguration(watchers, authorities),
  };
}

/** The same by their kinds and names alone: what is taken away again, the registration first. */
export const installedPlaces = (): readonly Pick<InstalledObject, "apiVersion" | "kind" | "metadata">[] => {
  const { base, registration } = installed({
    image: "",
    controlPlane: "none.invalid",
    beatSeconds: 0,
    watchers: [],
    authorities: "",
    certificate: { certificate: "", key: "", version: "" },
  });
  return [registration, ...base.toReversed()].map(({ apiVersion, kind, metadata }) => ({
    apiVersion,
    kind,
    metadata,
  }));
};
