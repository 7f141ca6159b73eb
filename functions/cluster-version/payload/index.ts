export type { Excluded, Manifest, Payload, PayloadContents, Release } from "./payload.ts";
export { DEFAULT_PROFILE } from "./payload.ts";
