/** One fault of an object, as the causes of an `Invalid` Status carry it. */
export interface FieldError {
  /** For example `FieldValueRequired`, `FieldValueInvalid`, `FieldValueNotSupported`, `FieldValueForbidden`. */
  readonly reason: string;
  /** `spec.containers[0].image`. */
  readonly field: string;
  /** Without the field: `Invalid value: "x": must be …`. */
  readonly message: string;
}

const quoted = (value: unknown): string => (value === undefined ? "null" : JSON.stringify(value));
/** One fault, in the words of the real server. */
export const fault = {
  required: (field: string, detail = ""): FieldError => ({
    reason: "FieldValueRequired",
    field,
    message: detail === "" ? "Required value" : `Required value: ${detail}`,
  }),
  invalid: (field: string, value: unknown, detail: string): FieldError => ({
    reason: "FieldValueInvalid",
    field,
    message: `Invalid value: ${quoted(value)}: ${detail}`,
  }),
  type: (field: string, value: unknown, detail: string): FieldError => ({
    reason: "FieldValueTypeInvalid",
    field,
    message: `Invalid value: ${quoted(value)}: ${detail}`,
  }),
  unsupported: (field: string, value: unknown, supported: readonly string[]): FieldError => ({
    reason: "FieldValueNotSupported",
    field,
    message: `Unsupported value: ${quoted(value)}: supported values: ${supported.join(", ")}`,
  }),
  forbidden: (field: string, detail: string): FieldError => ({
    reason: "FieldValueForbidden",
    field,
    message: `Forbidden: ${detail}`,
  }),
  duplicate: (field: string, value: unknown): FieldError => ({
    reason: "FieldValueDuplicate",
    field,
    message: `Duplicate value: ${quoted(value)}`,
  }),
  tooLong: (field: string, limit: number, unit = "bytes"): FieldError => ({
    reason: "FieldValueTooLong",
    field,
    message: `Too long: may not be more than ${limit} ${unit}`,
  }),
  tooMany: (field: string, count: number, limit: number): FieldError => ({
    reason: "FieldValueTooMany",
    field,
    message: `Too many: ${count}: must have at most ${limit} items`,
  }),
} as const;
