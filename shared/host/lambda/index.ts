export * from "./events.ts";
export * from "./handlers.ts";
