/** A certificate and its key, PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}
/** The times between which a certificate is to hold, in milliseconds since the epoch. */
export interface Term {
  readonly notBefore: number;
  readonly notAfter: number;
}
/** A certificate that is to be issued, for servers and clients at once. */
export interface WantedCertificate extends Term {
  readonly authority: Pair;
  readonly commonName: string;
  readonly dnsNames: readonly string[];
}

/** Makes keys and certificates. It keeps nothing: what it made is lost where nobody stores it. */
export interface IssuerEffects {
  /** A new authority. */
  readonly authority: (wanted: Term & { readonly commonName: string }) => Promise<Pair>;
  readonly issue: (wanted: WantedCertificate) => Promise<Pair>;
}
