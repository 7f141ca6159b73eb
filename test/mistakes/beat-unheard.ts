// error: Type '{ beat: { number: number; after: number; seconds: number; }; }' is not assignable to type 'Reading'
import type { CertifiedTrigger } from "../../shared/function/index.ts";

export const pulse: CertifiedTrigger = {
  name: "pulse",
  path: "/pulse",
  proof: "certificate",
  maximumBody: 100,
  read: () => ({ beat: { number: 1, after: 0, seconds: 60 } }),
};
