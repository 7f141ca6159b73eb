import { definePort } from "../../../../shared/function/index.ts";
import type { Releases } from "./contract.ts";

/** The port of functions that look for releases and read them. */
export const releases = definePort("stack-releases").of<Releases>();
