export type { IssuerEffects, Pair, Term, WantedCertificate } from "./contract.ts";
export { issuer } from "./port.ts";
