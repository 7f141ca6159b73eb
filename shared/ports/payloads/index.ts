export type { PayloadBundle, PayloadFile, Payloads, Verification, Verifier } from "./contract.ts";
