export {
  type Authority,
  createAuthority,
  type Keys,
  loadAuthority,
  type Pair,
  rsaKeys,
  type Subject,
} from "./authority.ts";
export { shownFault } from "./shown.ts";
export { certificateOf, certificatesIn, commonNameOf, holdsAt, isIssuedBy } from "./trust.ts";
