export type { Folders } from "./contract.ts";
