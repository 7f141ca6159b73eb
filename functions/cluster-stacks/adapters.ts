import type { SystemAdapters } from "../../shared/function/adapters.ts";
import type { configuration } from "./configuration.ts";
import { configuredCharts } from "./ports/charts/adapters/index.ts";
import { charts } from "./ports/charts/index.ts";
import { configuredReleases } from "./ports/releases/adapters/index.ts";
import { releases } from "./ports/releases/index.ts";

/** Releases of the folders, GitHub repositories and registries that the configuration names, and charts rendered by its helm binary or without one. */
export const adapters: SystemAdapters<typeof configuration> = ({ sources, helm }) => [
  releases.bind(configuredReleases(sources)),
  charts.bind(configuredCharts({ helm })),
];
