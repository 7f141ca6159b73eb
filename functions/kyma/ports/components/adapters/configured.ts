import type { Components } from "../contract.ts";
import type { RegistrySettings } from "../settings.ts";
import { layoutBlobs } from "./layout.ts";
import { componentsOf } from "./read.ts";

/** The components of the place that the configuration names. */
export const configuredComponents = ({ folder }: RegistrySettings): Components =>
  componentsOf(layoutBlobs(folder));
