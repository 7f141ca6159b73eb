import { definePort } from "../../function/port.ts";
import type { Payloads } from "./contract.ts";

/** Release payloads by pull spec. Adapters: `adapters/`. */
export const payloads = definePort("payloads").of<Payloads>();
