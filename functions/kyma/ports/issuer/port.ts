import { definePort } from "../../../../shared/function/index.ts";
import type { IssuerEffects } from "./contract.ts";

/** Makes the certificates of runtimes where no other program does. */
export const issuer = definePort("issuer").of<Record<never, never>, IssuerEffects>();
