import { stringify } from "yaml";

/** A value as a package's file has it. */
export interface PackageValue {
  readonly value: unknown;
  /** The text that it was written as, where that is a bare scalar: 1.10 and 1000000 stay what they are. */
  readonly source?: string | undefined;
}

/** The number as Go prints one that a YAML file holds: an integer in full, however large. */
const numberText = (value: number | bigint): string => {
  if (typeof value === "bigint" || Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
};

/** The text by which a parameter's value travels; undefined where it is null: no value. */
export function wireText({ value, source }: PackageValue): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return source ?? numberText(value);
  if (typeof value === "boolean") return String(value);
  return stringify(value, {
    version: "1.1",
    sortMapEntries: true,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}
