import * as z from "zod";

/** Path of a setting: `bus.embedded.file`. */
export type SettingPath = readonly string[];

/** The description of one setting: a value, or a group of settings. */
export interface Setting {
  readonly path: SettingPath;
  /** The variable that sets it. */
  readonly variable: string;
  readonly type: "string" | "number" | "boolean" | "list" | "other" | "group";
  readonly description: string;
  /** The default as it would be written; undefined where there is none. */
  readonly fallback: unknown;
  /** The values that it may have, where they are few. */
  readonly choices: readonly string[] | undefined;
  /** Never shown. */
  readonly secret: boolean;
  /** The names in a group. Undefined where any name may be. */
  readonly names: readonly string[] | undefined;
}

/** The part of JSON schema that is read here. */
interface Node {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: unknown;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly secret?: unknown;
}

const PREFIX = "REVEILLE";

/** `bus.embedded.powerCutSafe` → `REVEILLE_BUS_EMBEDDED_POWER_CUT_SAFE`. */
export const variableOf = (path: SettingPath): string =>
  [PREFIX, ...path]
    .map((name) =>
      name
        .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
        .replace(/[^A-Za-z0-9]+/g, "_")
        .toUpperCase(),
    )
    .join("_");

/** Names that say by themselves that their value is secret. Files that hold one are none. */
const SECRET = /(password|passphrase|secret|token|seed|nkey|credentials?|privatekey|apikey)$/i;

/** All settings of a schema, groups before what they hold. */
export function outlineOf(schema: z.ZodType): readonly Setting[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Node;
  return [...settingsIn(root, [], false)];
}

function* settingsIn(node: Node, path: SettingPath, within: boolean): Generator<Setting> {
  const name = path.at(-1) ?? "";
  const secret = within || node.secret === true || SECRET.test(name);
  const { properties } = node;
  if (path.length > 0)
    yield {
      path,
      variable: variableOf(path),
      type: properties === undefined ? typeOf(node) : "group",
      description: node.description ?? "",
      fallback: node.default,
      choices: choicesOf(node),
      secret,
      names:
        properties === undefined || isOpen(node.additionalProperties) ? undefined : Object.keys(properties),
    };
  for (const [key, child] of Object.entries(properties ?? {}))
    yield* settingsIn(child, [...path, key], secret);
}

const isOpen = (additional: unknown): boolean => additional !== undefined && additional !== false;

function typeOf(node: Node): Setting["type"] {
  const { type } = node;
  if (type === "string") return "string";
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "boolean";
  if (type === "array" && node.items !== undefined && typeOf(node.items) !== "other") return "list";
  if (node.anyOf?.length && node.anyOf.every((one) => typeOf(one) === "string")) return "string";
  if (node.enum?.every((one) => typeof one === "string")) return "string";
  return "other";
}

function choicesOf({ enum: names, anyOf }: Node): readonly string[] | undefined {
  const isOneOf = anyOf?.every((one) => one.const !== undefined) ?? false;
  return names?.map(String) ?? (isOneOf ? anyOf?.map((one) => String(one.const)) : undefined);
}
