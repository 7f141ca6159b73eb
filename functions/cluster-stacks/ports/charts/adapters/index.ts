export { configuredCharts } from "./configured.ts";
