import type { Trigger } from "../../shared/function/trigger.ts";
import { github } from "./github.ts";
import { registry } from "./registry.ts";

/** Every webhook that comes along. This folder is no system: it has neither kinds nor functions. */
export const triggers: readonly Trigger[] = [github, registry];
