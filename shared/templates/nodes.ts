import type { Constant } from "./numbers.ts";

/** A part of a template; `at` is where in its text it begins. */
interface Part {
  readonly at: number;
}

/** A value in a command. */
export type Operand =
  | (Part & { readonly is: "bool"; readonly value: boolean })
  | (Part & { readonly is: "text"; readonly value: string; readonly source: string })
  | (Part & { readonly is: "number"; readonly value: Constant })
  | (Part & { readonly is: "nil" })
  | (Part & { readonly is: "dot" })
  | (Part & { readonly is: "field"; readonly path: readonly string[] })
  /** The first of the path is the variable's name, with its dollar sign. */
  | (Part & { readonly is: "variable"; readonly path: readonly string[] })
  | (Part & { readonly is: "chain"; readonly of: Operand; readonly path: readonly string[] })
  | (Part & { readonly is: "call"; readonly name: string })
  | Pipeline;

/** Operands in a row: a call and its arguments, or one value. */
export interface Command extends Part {
  readonly operands: readonly [Operand, ...Operand[]];
}

/** Commands, each handing its value to the next, and the variables that take the last one. */
export interface Pipeline extends Part {
  readonly is: "pipeline";
  readonly commands: readonly Command[];
  readonly variables: readonly string[];
  /** True for `=`, which sets what is declared already. */
  readonly assigns: boolean;
}

/** `if`, `with` and `range`: a condition, a body and what stands behind `else`. */
export interface Control extends Part {
  readonly is: "if" | "with" | "range";
  readonly pipeline: Pipeline;
  readonly body: readonly Node[];
  readonly otherwise?: readonly Node[];
}

/** The place where another template is rendered. */
export interface TemplateCall extends Part {
  readonly is: "template";
  readonly name: string;
  readonly pipeline?: Pipeline;
}

/** A part of a body. */
export type Node =
  | (Part & { readonly is: "text"; readonly text: string })
  | (Part & { readonly is: "action"; readonly pipeline: Pipeline })
  | (Part & { readonly is: "break" | "continue" })
  | Control
  | TemplateCall;

/** A template by name, and the text that it is a part of. */
export interface Definition {
  readonly name: string;
  /** The name and the text of the file. */
  readonly source: { readonly name: string; readonly text: string };
  readonly body: readonly Node[];
}

const WHITE = /^[\s\u0085\u00a0]*$/;
/** True where a body prints nothing, so that another definition of its name takes its place. */
export const isBlank = (body: readonly Node[]): boolean =>
  body.every((node) => node.is === "text" && WHITE.test(node.text));

const pathOf = (path: readonly string[]): string => path.map((name) => `.${name}`).join("");

/** The source of an operand, as messages show it. */
export function sourceOf(operand: Operand): string {
  switch (operand.is) {
    case "bool":
      return String(operand.value);
    case "text":
      return operand.source;
    case "number":
      return operand.value.text;
    case "nil":
      return "nil";
    case "dot":
      return ".";
    case "field":
      return pathOf(operand.path);
    case "variable":
      return operand.path.join(".");
    case "chain":
      return `${operand.of.is === "pipeline" ? `(${sourceOf(operand.of)})` : sourceOf(operand.of)}${pathOf(operand.path)}`;
    case "call":
      return operand.name;
    case "pipeline": {
      const variables = operand.variables.join(", ");
      const commands = operand.commands.map(commandSource).join(" | ");
      return variables === "" ? commands : `${variables} ${operand.assigns ? "=" : ":="} ${commands}`;
    }
  }
}

/** The source of a command. */
export const commandSource = (command: Command): string =>
  command.operands
    .map((operand) => (operand.is === "pipeline" ? `(${sourceOf(operand)})` : sourceOf(operand)))
    .join(" ");
