export { catalogPass } from "./pass.ts";
export type { CatalogWorld } from "./world.ts";
