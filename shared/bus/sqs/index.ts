export * from "./distant-timers.ts";
export * from "./options.ts";
export * from "./state-store.ts";
