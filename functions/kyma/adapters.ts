import type { SystemAdapters } from "../../shared/function/adapters.ts";
import type { configuration } from "./configuration.ts";
import { configuredComponents } from "./ports/components/adapters/index.ts";
import { components } from "./ports/components/index.ts";
import { builtInIssuer } from "./ports/issuer/adapters/index.ts";
import { issuer } from "./ports/issuer/index.ts";
import { httpHandlers } from "./ports/trusted-handlers/adapters/index.ts";
import { trustedHandlers } from "./ports/trusted-handlers/index.ts";

/** The components of modules, from the place that the configuration names, certificates that are made here, and the handlers that it names. */
export const adapters: SystemAdapters<typeof configuration> = ({ registry, trustedHandlers: handlers }) => [
  components.bind(configuredComponents(registry)),
  issuer.bind(builtInIssuer()),
  trustedHandlers.bind(httpHandlers(handlers)),
];
