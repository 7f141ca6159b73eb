import { isIPv4, isIPv6 } from "node:net";
import type { Environment } from "@marcbachmann/cel-js";
import { sameJson } from "../../../shared/json/same-json.ts";
import { quantityNano } from "../../../shared/kube/quantity.ts";
import { jsonValue } from "./value.ts";

/** An amount with its suffix worked out: compared in billionths. */
class Quantity {
  readonly nano: bigint;
  constructor(text: string) {
    const amount = quantityNano(text);
    if (amount === undefined)
      throw new Error(
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      );
    this.nano = amount;
  }
}
const compared = (a: bigint, b: bigint): bigint => (a < b ? -1n : a > b ? 1n : 0n);

class Ip {
  readonly text: string;
  constructor(text: string) {
    if (!isIPv4(text) && !isIPv6(text))
      throw new Error(`IP Address '${text}' parse error during conversion from string`);
    this.text = text;
  }
  get bits(): bigint {
    if (isIPv4(this.text)) return this.text.split(".").reduce((all, part) => all * 256n + BigInt(part), 0n);
    const [head = "", tail] = this.text.split("::");
    const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
    const [before, after] = [groups(head), groups(tail ?? "")];
    const zeros =
      tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
    return [...before, ...zeros, ...after].reduce((all, part) => all * 65536n + BigInt(`0x${part}`), 0n);
  }
  get size(): number {
    return isIPv4(this.text) ? 32 : 128;
  }
}

class Cidr {
  readonly ip: Ip;
  readonly length: number;
  constructor(text: string) {
    const [address = "", length = ""] = text.split("/");
    this.ip = new Ip(address);
    this.length = Number(length);
    if (!/^\d+$/.test(length) || this.length > this.ip.size)
      throw new Error(`network address parse error during conversion from string: ${text}`);
  }
  contains(ip: Ip): boolean {
    const shift = BigInt(this.ip.size - this.length);
    return ip.size === this.ip.size && ip.bits >> shift === this.ip.bits >> shift;
  }
}

const semverShape = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
class Semver {
  readonly numbers: readonly bigint[];
  readonly prerelease: string;
  constructor(text: string) {
    const found = semverShape.exec(text);
    if (found === null) throw new Error(`Semver Parse error during conversion from string: ${text}`);
    this.numbers = [found[1], found[2], found[3]].map((part) => BigInt(part ?? 0));
    this.prerelease = found[4] ?? "";
  }
  compare(other: Semver): bigint {
    for (const [index, number] of this.numbers.entries()) {
      const order = compared(number, other.numbers[index] ?? 0n);
      if (order !== 0n) return order;
    }
    if (this.prerelease === other.prerelease) return 0n;
    if (this.prerelease === "" || other.prerelease === "") return this.prerelease === "" ? 1n : -1n;
    return this.prerelease < other.prerelease ? -1n : 1n;
  }
}

/** The name `sets`, whose functions are its methods. */
class Sets {}

const makes = (make: () => unknown): boolean => {
  try {
    make();
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
};
const holds = (list: readonly unknown[], item: unknown): boolean =>
  list.some((one) => sameJson(jsonValue(one), jsonValue(item)));
const contains = (all: readonly unknown[], some: readonly unknown[]): boolean =>
  some.every((item) => holds(all, item));

const functions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  "quantity(string): Quantity": (text: string) => new Quantity(text),
  "isQuantity(string): bool": (text: string) => quantityNano(text) !== undefined,
  "Quantity.isGreaterThan(Quantity): bool": (a: Quantity, b: Quantity) => a.nano > b.nano,
  "Quantity.isLessThan(Quantity): bool": (a: Quantity, b: Quantity) => a.nano < b.nano,
  "Quantity.compareTo(Quantity): int": (a: Quantity, b: Quantity) => compared(a.nano, b.nano),
  "Quantity.sign(): int": (a: Quantity) => compared(a.nano, 0n),
  "Quantity.isInteger(): bool": (a: Quantity) => a.nano % 1_000_000_000n === 0n,
  "Quantity.asInteger(): int": (a: Quantity) => a.nano / 1_000_000_000n,
  "Quantity.asApproximateFloat(): double": (a: Quantity) => Number(a.nano) / 1e9,
  "ip(string): Ip": (text: string) => new Ip(text),
  "Ip.family(): int": (ip: Ip) => (ip.size === 32 ? 4n : 6n),
  "string(Ip): string": (ip: Ip) => ip.text,
  "cidr(string): Cidr": (text: string) => new Cidr(text),
  "Cidr.containsIP(string): bool": (cidr: Cidr, ip: string) => cidr.contains(new Ip(ip)),
  "Cidr.containsIP(Ip): bool": (cidr: Cidr, ip: Ip) => cidr.contains(ip),
  "Cidr.containsCIDR(string): bool": (cidr: Cidr, text: string) => {
    const other = new Cidr(text);
    return other.length >= cidr.length && cidr.contains(other.ip);
  },
  "Cidr.ip(): Ip": (cidr: Cidr) => cidr.ip,
  "Cidr.prefixLength(): int": (cidr: Cidr) => BigInt(cidr.length),
  "semver(string): Semver": (text: string) => new Semver(text),
  "isSemver(string): bool": (text: string) => makes(() => new Semver(text)),
  "Semver.isGreaterThan(Semver): bool": (a: Semver, b: Semver) => a.compare(b) > 0n,
  "Semver.isLessThan(Semver): bool": (a: Semver, b: Semver) => a.compare(b) < 0n,
  "Semver.compareTo(Semver): int": (a: Semver, b: Semver) => a.compare(b),
  "Semver.major(): int": (a: Semver) => a.numbers[0],
  "Semver.minor(): int": (a: Semver) => a.numbers[1],
  "Semver.patch(): int": (a: Semver) => a.numbers[2],
  "Sets.contains(list, list): bool": (_: Sets, all: unknown[], some: unknown[]) => contains(all, some),
  "Sets.equivalent(list, list): bool": (_: Sets, a: unknown[], b: unknown[]) =>
    contains(a, b) && contains(b, a),
  "Sets.intersects(list, list): bool": (_: Sets, a: unknown[], b: unknown[]) =>
    a.some((item) => holds(b, item)),
};

/** Types that Kubernetes adds to CEL: quantities, addresses, networks, versions, sets. */
export function registerKubernetesTypes(environment: Environment): Environment {
  for (const [name, ctor] of Object.entries({ Quantity, Ip, Cidr, Semver, Sets }))
    environment.registerType(name, ctor);
  environment.registerConstant("sets", "Sets", new Sets());
  for (const [signature, run] of Object.entries(functions))
    environment.registerFunction(signature, run as (...args: unknown[]) => unknown);
  return environment;
}
