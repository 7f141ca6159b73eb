export {
  bundleOf,
  isFor,
  isIssuedBy,
  type Pair,
  pairOf,
  type SecretData,
  textOf,
  timesOf,
} from "./read.ts";
export {
  type BundleChange,
  bundleChange,
  ISSUE_AFTER,
  type RuntimeSubject,
  renewalOf,
  runtimeIsDueAt,
  SWITCH_AFTER,
  serverIsDueAt,
  termOf,
} from "./rotation.ts";
export { certificateName, DOMAIN, subjectOf } from "./subject.ts";
