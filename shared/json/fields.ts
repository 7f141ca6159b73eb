/** JSON that is read, whatever shape it has. */
export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Empty where the value is no map. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
/** Empty where the value is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const fieldOf = (value: unknown, name: string): unknown => fieldsOf(value)[name];

/** Nothing in it: what a server stores as absence. */
export const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
