export { type ContentsOptions, contentsOf, readingContents } from "./contents.ts";
export { PayloadError, type PayloadIssue } from "./errors.ts";
export { included } from "./included.ts";
export { capabilitiesOf, exclusionOf, type Inclusion, type Override } from "./inclusion.ts";
export type { Excluded, Manifest, Payload, PayloadContents, Release } from "./payload.ts";
export { DEFAULT_PROFILE } from "./payload.ts";
export { type LoadOptions, payloadReader, type ReadPayload, readPayload } from "./reader.ts";
