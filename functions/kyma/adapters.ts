import type { SystemAdapters } from "../../shared/function/adapters.ts";
import type { configuration } from "./configuration.ts";
import { configuredComponents } from "./ports/components/adapters/index.ts";
import { components } from "./ports/components/index.ts";

/** The components of modules, from the place that the configuration names. */
export const adapters: SystemAdapters<typeof configuration> = ({ registry }) => [
  components.bind(configuredComponents(registry)),
];
