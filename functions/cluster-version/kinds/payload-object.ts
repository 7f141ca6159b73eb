import { defineDynamic } from "../../../shared/function/index.ts";

/** Whatever a payload's manifests name. */
export class PayloadObject extends defineDynamic("payload-object") {}
