export * from "./dynamo-store.ts";
export { TABLE_KEYS } from "./table.ts";
