export { type AuthorityWorld, authorityPass } from "./authority.ts";
export { type Backend, describedAt, describedFor, describedWait, isOfBefore, madeAnew } from "./backends.ts";
export { isCloseToExpiry, overdueAt } from "./overdue.ts";
export {
  authorityOf,
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
  ISSUE_WITHIN,
  type RuntimeSubject,
  renewalOf,
  runtimeIsDueAt,
  SWITCH_AFTER,
  serverIsDueAt,
  termOf,
} from "./rotation.ts";
export {
  ADDED_AT,
  AUTHORITY_SECRET,
  addedAtOf,
  dataOf,
  GATEWAY_SECRET,
  shareOf,
  written,
} from "./secrets.ts";
export { certificateName, DOMAIN, subjectOf } from "./subject.ts";
