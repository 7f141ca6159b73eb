import { bundleOf, isFor, isIssuedBy, type Pair, timesOf } from "./read.ts";

/** The milliseconds of a day. */
export const DAY = 86_400_000;
/** Clocks of machines differ. */
const EARLIER = 3_600_000;
/** The days for which certificates hold, and those before their end at which they are renewed. */
export const LIFETIMES = {
  authority: { days: 365, renewed: 90 },
  server: { days: 60, renewed: 30 },
  runtime: { days: 60, renewed: 30 },
} as const;
/** For so long the server goes on with its certificate after a new authority came: until then every runtime trusts that too. */
export const SWITCH_AFTER = 4 * DAY;
/** So long after a new authority came the gateway certainly trusts it: files of a Secret follow within minutes. */
export const ISSUE_AFTER = 10 * 60_000;
/** All runtimes have a certificate of the new authority after so long: half of the time for which the server waits. */
export const ISSUE_WITHIN = 2 * DAY;

/** The time for which something is issued, in milliseconds since the epoch; never beyond the end of its authority. */
export function termOf(
  what: keyof typeof LIFETIMES,
  now: number,
  authority?: string,
): { readonly notBefore: number; readonly notAfter: number } {
  const end = (authority === undefined ? undefined : timesOf(authority)?.to) ?? Number.POSITIVE_INFINITY;
  return { notBefore: now - EARLIER, notAfter: Math.min(now + LIFETIMES[what].days * DAY, end) };
}

/** The time at which something is to be renewed; the past where it is no certificate. */
export const renewalOf = (what: keyof typeof LIFETIMES, certificate: string): number =>
  (timesOf(certificate)?.to ?? 0) - LIFETIMES[what].renewed * DAY;

/** The same for what an authority issued: never where that ends no later, since another would hold no longer. */
function renewalUnder(authority: string, what: keyof typeof LIFETIMES, certificate: string): number {
  const [end, last] = [timesOf(certificate)?.to ?? 0, timesOf(authority)?.to ?? 0];
  return end >= last ? Number.POSITIVE_INFINITY : renewalOf(what, certificate);
}

/** A change of the bundle of authorities that runtimes and gateway trust. */
export interface BundleChange {
  /** All of it, the newest first. */
  readonly bundle: string;
  /** The time at which the newest was added, where that is now. */
  readonly addedAt: number | undefined;
}

/**
 * The bundle as it should be: the present authority first, then those above it, and those of before, each until it ends. Undefined: it is so.
 * @param chain the certificate of the present authority, and those above it
 */
export function bundleChange(
  [own = "", ...above]: readonly string[],
  present: string,
  now: number,
): BundleChange | undefined {
  const known = bundleOf(present);
  const isThere = known.includes(own);
  const others = new Set([...above, ...known]);
  others.delete(own);
  const bundle = [own, ...[...others].filter((one) => (timesOf(one)?.to ?? 0) > now)].join("");
  if (bundle === known.join("")) return undefined;
  return { bundle, addedAt: isThere ? undefined : now };
}

/**
 * The time at which the server's certificate is to be issued anew; the past where there is none, or it is for another name. One of a former authority
 * stays until every runtime has the newest: those that do not know it would not talk with the server.
 */
export function serverIsDueAt(
  server: Pair | undefined,
  {
    authority,
    addedAt,
    host,
  }: { readonly authority: string; readonly addedAt: number | undefined; readonly host: string },
): number {
  if (server === undefined || !isFor(server.certificate, { commonName: host, dnsNames: [host] })) return 0;
  if (isIssuedBy(server.certificate, authority)) return renewalUnder(authority, "server", server.certificate);
  return Math.min((addedAt ?? 0) + SWITCH_AFTER, timesOf(server.certificate)?.to ?? 0);
}

/** The subject of a runtime's certificate. */
export interface RuntimeSubject {
  /** The runtime's identity. */
  readonly commonName: string;
  readonly dnsNames: readonly string[];
}

/**
 * The time at which a runtime's certificate is to be issued anew; the past where there is none, or it is for another name. One of a former authority
 * is issued anew once the gateway trusts the newest, and long before the server shows a certificate of that.
 */
export function runtimeIsDueAt(
  pair: Pair | undefined,
  subject: RuntimeSubject,
  {
    authority,
    addedAt,
    share = 0,
  }: {
    readonly authority: string;
    readonly addedAt: number | undefined;
    /** A share from 0 to 1, another for each runtime: not all keys are made at once. */
    readonly share?: number;
  },
): number {
  if (pair === undefined || !isFor(pair.certificate, subject)) return 0;
  if (isIssuedBy(pair.certificate, authority)) return renewalUnder(authority, "runtime", pair.certificate);
  const renewal = renewalOf("runtime", pair.certificate);
  return Math.min(renewal, (addedAt ?? 0) + ISSUE_AFTER + share * ISSUE_WITHIN);
}
