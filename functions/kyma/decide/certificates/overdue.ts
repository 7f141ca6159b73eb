import { timesOf } from "./read.ts";
import { DAY, renewalOf } from "./rotation.ts";

/** The days before its end from which the gateway's certificate is told to be close to it. */
const CLOSE = 14;

/** The time from which the renewal of a runtime's certificate is overdue: a day after it was due. */
export const overdueAt = (certificate: string): number => renewalOf("runtime", certificate) + DAY;

/** True for a certificate of a server that ends within two weeks, has ended, or is none. */
export const isCloseToExpiry = (certificate: string, now: number): boolean =>
  (timesOf(certificate)?.to ?? 0) - now <= CLOSE * DAY;
