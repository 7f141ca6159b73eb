import { definePort } from "../../../../shared/function/index.ts";
import type { Components } from "./contract.ts";

/** The port of functions that read the components of modules. */
export const components = definePort("module-components").of<Components>();
