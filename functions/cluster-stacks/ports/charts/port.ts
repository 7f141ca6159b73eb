import { definePort } from "../../../../shared/function/index.ts";
import type { Charts } from "./contract.ts";

/** The port of functions that render charts. */
export const charts = definePort("charts").of<Charts>();
