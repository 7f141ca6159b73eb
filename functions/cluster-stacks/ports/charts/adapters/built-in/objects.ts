import { fixed } from "../../../../../../shared/templates/functions/define.ts";
import {
  bytesOf,
  type Call,
  Dict,
  FunctionFault,
  List,
  type TemplateFunction,
  TemplateObject,
  textOf,
  type Value,
} from "../../../../../../shared/templates/index.ts";
import type { ChartFiles } from "../chart/files.ts";
import { globPattern } from "../chart/glob.ts";
import { yamlText } from "./functions/yaml.ts";

/** Values, which have a type of helm's own: functions that look for a plain map refuse them, and `.Values.AsMap` gives one. */
export class ValuesObject extends Dict {
  override get type(): string {
    return "common.Values";
  }

  override method(name: string): TemplateFunction | undefined {
    if (name === "AsMap") return fixed([], () => new Dict(this.entries));
    if (name === "YAML") return fixed([], (_, call) => `${yamlText(this, call)}\n`);
    if (name === "PathValue") return fixed(["string"], ([path]) => this.#at(path));
    if (name === "Table") return fixed(["string"], ([path]) => this.#table(path));
    return undefined;
  }

  #at(path: string): Value {
    let value: Value = this;
    for (const key of path.split(".")) {
      if (!(value instanceof Dict) || !value.entries.has(key))
        throw new FunctionFault(`"${path}" is not a value`);
      value = value.entries.get(key);
    }
    if (value instanceof Dict) throw new FunctionFault(`"${path}" is not a value`);
    return value;
  }

  #table(path: string): Value {
    let value: Value = this;
    for (const key of path.split(".")) {
      value = value instanceof Dict ? value.entries.get(key) : undefined;
      if (!(value instanceof Dict)) throw new FunctionFault(`"${key}" is not a table`);
    }
    return value instanceof Dict ? new ValuesObject(value.entries) : undefined;
  }
}

/** The bytes of a file: text functions take them as text. */
export class FileBytes extends TemplateObject {
  readonly type = "[]uint8";
  readonly kind = "struct";
  readonly #content: Uint8Array;
  constructor(content: Uint8Array) {
    super();
    this.#content = content;
  }
  override member(): undefined {
    return undefined;
  }
  override toString(): string {
    return Buffer.from(this.#content).toString("latin1");
  }
}

/** The last part of a path: files of the same name take each other's place. */
const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** `.Files`: what lies in a chart beside its templates. */
export class FilesObject extends Dict {
  constructor(files: Iterable<readonly [string, Value]>) {
    // Its items are no text, but its type is no map of anything either.
    super(files, "string");
  }

  static of(files: ChartFiles): FilesObject {
    return new FilesObject([...files].map(([path, content]) => [bytesOf(path), new FileBytes(content)]));
  }

  override get type(): string {
    return "engine.files";
  }

  #text(path: string): string | undefined {
    const file = this.entries.get(path);
    return file === undefined ? undefined : String(file);
  }

  override method(name: string): TemplateFunction | undefined {
    switch (name) {
      case "Get":
        return fixed(["string"], ([path]) => this.#text(path) ?? "");
      case "GetBytes":
        return fixed(["string"], ([path]) => this.entries.get(path) ?? new List([], "interface {}", true));
      case "Glob":
        return fixed(["string"], ([pattern], { budget }) => {
          const glob = globPattern(textOf(pattern));
          budget.step(this.entries.size * pattern.length);
          return new FilesObject([...this.entries].filter(([path]) => glob.matches(textOf(path))));
        });
      case "AsConfig":
        return fixed([], (_, call) => this.#map((text) => text, call));
      case "AsSecrets":
        return fixed([], (_, call) =>
          this.#map((text) => Buffer.from(text, "latin1").toString("base64"), call),
        );
      case "Lines":
        return fixed(["string"], ([path]) => {
          const text = this.#text(path);
          if (text === undefined) return new List([], "string");
          const lines = text.split("\n");
          return new List(lines.at(-1) === "" ? lines.slice(0, -1) : lines, "string");
        });
      default:
        return undefined;
    }
  }

  #map(write: (text: string) => string, call: Call): string {
    const sorted = this.sortedKeys().map((path) => [baseOf(path), write(this.#text(path) ?? "")] as const);
    return yamlText(new Dict(sorted), call);
  }
}

/** A method of an object of helm's. */
interface Method {
  readonly method: TemplateFunction;
}
const isMethod = (member: Value | Method): member is Method =>
  typeof member === "object" &&
  member !== null &&
  Object.getPrototypeOf(member) === Object.prototype &&
  "method" in member;

/** An object of fields, and methods by their names. */
export class Struct extends TemplateObject {
  readonly type: string;
  readonly kind = "struct";
  readonly #members: Readonly<Record<string, Value | Method>>;
  readonly #shown: string;
  constructor(type: string, members: Readonly<Record<string, Value | Method>>, shown = "") {
    super();
    this.type = type;
    this.#members = members;
    this.#shown = shown;
  }
  override member(name: string): Method | { readonly value: Value } | undefined {
    if (!Object.hasOwn(this.#members, name)) return undefined;
    const member = this.#members[name];
    return isMethod(member) ? member : { value: member };
  }
  override toString(): string {
    return this.#shown;
  }
}
