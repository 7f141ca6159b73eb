import type { SystemAdapters } from "../../shared/function/adapters.ts";
import { storedPayloads } from "../../shared/ports/payloads/adapters/index.ts";
import { payloads } from "../../shared/ports/payloads/index.ts";
import type { configuration } from "./configuration.ts";
import { configuredUpdateGraph } from "./ports/update-graph/adapters/index.ts";
import { updateGraph } from "./ports/update-graph/index.ts";

/** Releases in the folder that the configuration names, and the update graph over HTTP. */
export const adapters: SystemAdapters<typeof configuration> = (config) => [
  payloads.bind(storedPayloads({ folder: config.payloads })),
  updateGraph.bind(configuredUpdateGraph(config)),
];
