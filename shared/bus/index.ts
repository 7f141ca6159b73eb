export * from "./contract.ts";
export * from "./errors.ts";
export * from "./item.ts";
export * from "./retry.ts";
export * from "./run-record.ts";
