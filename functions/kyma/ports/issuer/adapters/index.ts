export { builtInIssuer } from "./built-in.ts";
