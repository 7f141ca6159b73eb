import { type Clock, systemClock } from "../../../../../shared/clock/clock.ts";
import type { Fetch } from "../../../../../shared/requests/exchange.ts";
import type { Components } from "../contract.ts";
import type { RegistrySettings } from "../settings.ts";
import { layoutBlobs } from "./layout.ts";
import { componentsOf } from "./read.ts";
import { registryBlobs } from "./registry.ts";
import { remembering } from "./remembering.ts";

/** The components of the place that the configuration names. */
export function configuredComponents(
  { folder, oci }: RegistrySettings,
  { clock = systemClock, ...outside }: { readonly clock?: Clock; readonly fetch?: Fetch } = {},
): Components {
  const blobs = oci === undefined ? layoutBlobs(folder) : registryBlobs(oci, { clock, ...outside });
  return remembering(componentsOf(blobs), clock);
}
