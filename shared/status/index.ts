export * from "./condition.ts";
export * from "./done.ts";
