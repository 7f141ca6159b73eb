import { defineDynamic } from "../../../shared/function/index.ts";

/** The objects that templates name: of any kind that the configuration admits. */
export class Templated extends defineDynamic("templated") {}
