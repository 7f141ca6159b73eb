export type { PackageSource, Packages } from "./contract.ts";
