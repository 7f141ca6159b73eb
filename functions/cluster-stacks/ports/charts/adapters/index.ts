export { type BuiltInCharts, builtInCharts } from "./built-in/index.ts";
export { ignoring } from "./chart/ignore.ts";
export { configuredCharts } from "./configured.ts";
export { type HelmCharts, helmCharts } from "./helm/index.ts";
