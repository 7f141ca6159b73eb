import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** True for what a certificate can name as a server: a DNS name, or an address. */
export const isServerName = (name: string): boolean => /^[A-Za-z0-9*._:-]{1,253}$/.test(name);

/** True where a certificate names a server, by DNS name or address. */
export const namesServer = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) > 0 ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
