export { type Authority, createAuthority, loadAuthority, type Pair, type Subject } from "./authority.ts";
export { certificateOf, certificatesIn, commonNameOf, holdsAt, isIssuedBy } from "./trust.ts";
