import { definePort } from "../../../../shared/function/index.ts";
import type { TrustedHandlers } from "./contract.ts";

/** The port of functions that ask handlers of the control plane. */
export const trustedHandlers = definePort("trusted-handlers").of<TrustedHandlers>();
