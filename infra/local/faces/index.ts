export { faces } from "./faces.ts";
