export * from "./clients.ts";
export * from "./distant-timers.ts";
export * from "./memory-store.ts";
export type { Delivery } from "./message.ts";
export * from "./options.ts";
export { openSqsBus, type SqsBus, type SqsBusOptions } from "./sqs-bus.ts";
export * from "./state-store.ts";
