import { isIPv4, isIPv6 } from "node:net";

/** An IP address as a number, with the length of its family. */
export interface Address {
  readonly value: bigint;
  readonly bits: 32 | 128;
}

/** Undefined where the text is no IP address. */
export function addressOf(text: string): Address | undefined {
  if (isIPv4(text)) {
    const value = text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
    return { value, bits: 32 };
  }
  if (!isIPv6(text) || text.includes("%")) return undefined;
  // The URL parser spells every form of IPv6 in groups, with at most one gap.
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groups = (part: string): string[] => part.split(":").filter((one) => one !== "");
  const [before, after] = [groups(head), groups(tail ?? "")];
  const gap = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const value = [...before, ...gap, ...after].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
  return { value, bits: 128 };
}

/** Addresses that begin alike. */
export interface Cidr extends Address {
  readonly prefix: number;
}

/** Undefined where the text is no CIDR. */
export function cidrOf(text: string): Cidr | undefined {
  const [address = "", length = "", ...more] = text.split("/");
  const found = addressOf(address);
  if (found === undefined || more.length > 0 || !/^\d{1,3}$/.test(length)) return undefined;
  const prefix = Number(length);
  return prefix > found.bits ? undefined : { ...found, prefix };
}

const network = ({ value, bits }: Address, prefix: number): bigint => value >> BigInt(bits - prefix);

/** True where bits stand behind the prefix. */
export const hasHostBits = (cidr: Cidr): boolean =>
  network(cidr, cidr.prefix) << BigInt(cidr.bits - cidr.prefix) !== cidr.value;

/** True where one holds the other, and more. */
export const isStrictlyWithin = (inner: Cidr, outer: Cidr): boolean =>
  inner.bits === outer.bits &&
  inner.prefix > outer.prefix &&
  network(inner, outer.prefix) === network(outer, outer.prefix);
