export type { Files } from "./contract.ts";
