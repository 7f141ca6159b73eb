import { defineDynamic } from "../../../shared/function/index.ts";

/** An object of any kind that a payload's manifests name. */
export class PayloadObject extends defineDynamic("payload-object") {}
