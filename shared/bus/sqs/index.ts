export { openSqsBus, type SqsBus, type SqsBusOptions } from "./bus.ts";
export * from "./clients.ts";
export * from "./distant-timers.ts";
export * from "./dynamo/index.ts";
export type { Delivery } from "./message.ts";
export * from "./options.ts";
export * from "./scheduler-timers.ts";
export * from "./store.ts";
