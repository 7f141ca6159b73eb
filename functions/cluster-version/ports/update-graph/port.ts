import { definePort } from "../../../../shared/function/port.ts";
import type { UpdateGraph } from "./contract.ts";

/** The port of functions that look for updates. */
export const updateGraph = definePort("update-graph").of<UpdateGraph>();
