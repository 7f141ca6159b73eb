import { isIPv4, isIPv6 } from "node:net";
import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { type Cidr, cidrOf, hasHostBits } from "../../addresses.ts";

/** A CIDR without bits behind its prefix. Undefined with its fault where it is none. */
export function cidrFaults(text: string, path: string): { cidr: Cidr | undefined; faults: FieldError[] } {
  const cidr = cidrOf(text);
  if (cidr === undefined) {
    const why = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
    return { cidr, faults: [fault.invalid(path, text, why)] };
  }
  return hasHostBits(cidr)
    ? {
        cidr: undefined,
        faults: [fault.invalid(path, text, "must not have bits set beyond the prefix length")],
      }
    : { cidr, faults: [] };
}

/** An IP address. */
export const addressFaults = (text: string, path: string): FieldError[] =>
  isIPv4(text) || isIPv6(text)
    ? []
    : [fault.invalid(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
