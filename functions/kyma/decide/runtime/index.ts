export { DEFINITIONS, KYMA_DEFINITION } from "./definitions.ts";
export { copiedStatus } from "./kyma-copy.ts";
export { observeRuntime, whereServed } from "./observe.ts";
export { runtimePass } from "./pass.ts";
export { type RefusedRead, unlessRefused } from "./refused-read.ts";
export { observeStatus, statusPass } from "./status.ts";
export { suspensionPass } from "./suspension.ts";
