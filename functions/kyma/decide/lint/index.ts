export { type Finding, lintModule, type ModuleVersion } from "./module.ts";
