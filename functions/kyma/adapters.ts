import type { SystemAdapters } from "../../shared/function/adapters.ts";
import type { configuration } from "./configuration.ts";
import { configuredComponents } from "./ports/components/adapters/index.ts";
import { components } from "./ports/components/index.ts";
import { builtInIssuer } from "./ports/issuer/adapters/index.ts";
import { issuer } from "./ports/issuer/index.ts";

/** The components of modules, from the place that the configuration names, and certificates that are made here. */
export const adapters: SystemAdapters<typeof configuration> = ({ registry }) => [
  components.bind(configuredComponents(registry)),
  issuer.bind(builtInIssuer()),
];
