import { fixed } from "../../../../../../../shared/templates/functions/define.ts";
import {
  type Call,
  Dict,
  FunctionFault,
  type Functions,
  Int,
  List,
  TemplateObject,
  type Value,
} from "../../../../../../../shared/templates/index.ts";

const BARE = /^[A-Za-z0-9_-]+$/;
const ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

const quoted = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what TOML cannot hold as they are.
  `"${text.replace(/[\x00-\x1f\x7f"\\]/g, (one) => ESCAPES[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
const keyText = (key: string): string => (BARE.test(key) ? key : quoted(key));

/** A float as Go writes the shortest one, with a point or an exponent. */
function float(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 6)
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}
const isTable = (value: Value): value is Dict => value instanceof Dict;
const isTables = (value: Value): value is List =>
  value instanceof List && value.items.length > 0 && value.items.every(isTable);

/** Writes TOML as the library of helm does: values before tables, keys in order, tables indented. */
class Writer {
  text = "";
  readonly #call: Call;
  constructor(call: Call) {
    this.#call = call;
  }

  #write(text: string): void {
    this.#call.budget.bytes(text.length);
    this.text += text;
  }

  #value(value: Value, depth: number): string {
    this.#call.budget.within(depth);
    if (typeof value === "string") return quoted(value);
    if (typeof value === "boolean") return String(value);
    if (typeof value === "number") return float(value);
    if (value instanceof Int) return String(value.value);
    if (value instanceof List) {
      if (value.items.some((item) => item === null || item === undefined))
        throw new FunctionFault("toml: cannot encode array with nil element");
      return `[${value.items.map((item) => this.#value(item, depth + 1)).join(", ")}]`;
    }
    if (value instanceof Dict)
      return `{${value
        .sortedKeys()
        .map((key) => `${keyText(key)} = ${this.#value(value.entries.get(key), depth + 1)}`)
        .join(", ")}}`;
    if (value instanceof TemplateObject) return quoted(value.toString());
    throw new FunctionFault("toml: a value that TOML cannot hold");
  }

  table(table: Dict, path: readonly string[]): void {
    this.#call.budget.within(path.length);
    const indent = "  ".repeat(path.length);
    const keys = table.sortedKeys();
    for (const key of keys) {
      const value = table.entries.get(key);
      if (value === null || value === undefined || isTable(value) || isTables(value)) continue;
      this.#write(`${indent}${keyText(key)} = ${this.#value(value, 0)}\n`);
    }
    for (const key of keys) {
      const value = table.entries.get(key);
      const inner = [...path, key];
      const name = inner.map(keyText).join(".");
      if (isTable(value)) {
        if (path.length === 0 && this.text !== "") this.#write("\n");
        this.#write(`${indent}[${name}]\n`);
        this.table(value, inner);
      } else if (isTables(value))
        for (const item of value.items) {
          if (this.text !== "") this.#write("\n");
          this.#write(`${indent}[[${name}]]\n`);
          this.table(item instanceof Dict ? item : new Dict(), inner);
        }
    }
  }
}

function written(value: Value, call: Call): string {
  if (!(value instanceof Dict)) throw new FunctionFault("toml: top-level values must be Go maps or structs");
  const writer = new Writer(call);
  writer.table(value, []);
  return writer.text;
}

/** The functions of charts for TOML. */
export const toml: Functions = {
  toToml: fixed(["interface {}"], ([value], call) => {
    try {
      return written(value, call);
    } catch (fault) {
      // Helm gives the error's words as the result.
      if (fault instanceof FunctionFault) return fault.message;
      throw fault;
    }
  }),
  fromToml: fixed(["string"], () => {
    throw new FunctionFault("fromToml is not built in: hand in YAML instead, or configure a helm binary");
  }),
};
