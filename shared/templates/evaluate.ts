import { fitted, idealConstant, literalAs, nilArgument } from "./arguments.ts";
import { FunctionFault, MissingKeyFault, TemplateError } from "./errors.ts";
import type { Call, ParameterType, TemplateFunction } from "./function.ts";
import type { Budget } from "./limits.ts";
import { located, type Place } from "./located.ts";
import {
  type Command,
  type Control,
  commandSource,
  type Definition,
  type Node,
  type Operand,
  type Pipeline,
  sourceOf,
  type TemplateCall,
} from "./nodes.ts";
import { displayed } from "./print.ts";
import { Dict, Int, isTrue, List, TemplateObject, typeOf, type Value } from "./values.ts";

/** The answer for a field that a map does not hold: an error, the zero value of the map's type, or no value. */
export type MissingKey = "error" | "zero" | "invalid";

/** The things that all templates of one rendering share. */
export interface Rendering {
  readonly definition: (name: string) => Definition | undefined;
  readonly functionNamed: (name: string) => TemplateFunction | undefined;
  readonly missingKey: MissingKey;
  readonly budget: Budget;
  /** Reads a text as a template that may call all those of this rendering. @throws TemplateError */
  readonly within: (
    name: string,
    text: string,
  ) => { readonly rendering: Rendering; readonly definition: Definition };
}

/** No argument came through a pipe. */
const NONE = Symbol("none");
type Final = Value | typeof NONE;
/** The way in which a body ended. */
type Flow = "on" | "break" | "continue";
interface Variable {
  readonly name: string;
  value: Value;
}

/** Renders one definition. */
class Evaluator {
  readonly #rendering: Rendering;
  readonly #definition: Definition;
  readonly #out: string[];
  readonly #variables: Variable[];
  #place: Place | undefined;

  constructor(rendering: Rendering, definition: Definition, out: string[], data: Value) {
    this.#rendering = rendering;
    this.#definition = definition;
    this.#out = out;
    this.#variables = [{ name: "$", value: data }];
  }

  run(data: Value): void {
    try {
      this.#walk(this.#definition.body, data);
    } catch (fault) {
      throw located(fault, this.#definition, this.#place);
    }
  }

  #at(operand: Operand): void {
    this.#place = { at: operand.at, source: () => sourceOf(operand) };
  }

  #write(text: string): void {
    this.#rendering.budget.bytes(text.length);
    this.#out.push(text);
  }

  #walk(body: readonly Node[], dot: Value): Flow {
    this.#rendering.budget.enter();
    for (const node of body) {
      this.#rendering.budget.step();
      const flow = this.#node(node, dot);
      if (flow !== "on") {
        this.#rendering.budget.leave();
        return flow;
      }
    }
    this.#rendering.budget.leave();
    return "on";
  }

  #node(node: Node, dot: Value): Flow {
    switch (node.is) {
      case "text":
        this.#write(node.text);
        return "on";
      case "action": {
        const value = this.#pipeline(node.pipeline, dot);
        if (node.pipeline.variables.length === 0) {
          this.#at(node.pipeline);
          this.#write(displayed(value, this.#rendering.budget));
        }
        return "on";
      }
      case "if":
      case "with": {
        const declared = this.#variables.length;
        const value = this.#pipeline(node.pipeline, dot);
        const taken = isTrue(value) ? node.body : node.otherwise;
        const flow =
          taken === undefined
            ? "on"
            : this.#walk(taken, node.is === "with" && taken === node.body ? value : dot);
        this.#variables.length = declared;
        return flow;
      }
      case "range":
        return this.#range(node, dot);
      case "template":
        this.#template(node, dot);
        return "on";
      default:
        return node.is;
    }
  }

  #template(node: TemplateCall, dot: Value): void {
    const { name, pipeline, at } = node;
    this.#place = { at, source: () => `{{template "${name}"}}` };
    const definition = this.#rendering.definition(name);
    if (definition === undefined) throw new FunctionFault(`template "${name}" not defined`);
    const data = pipeline === undefined ? undefined : this.#pipeline(pipeline, dot);
    new Evaluator(this.#rendering, definition, this.#out, data).run(data);
  }

  #range(node: Control, dot: Value): Flow {
    const declared = this.#variables.length;
    const value = this.#pipeline(node.pipeline, dot);
    const mark = this.#variables.length;
    let rounds = 0;
    for (const [key, item] of this.#rounds(value, node.pipeline)) {
      rounds += 1;
      this.#rendering.budget.step();
      this.#bind(node.pipeline, key, item);
      const flow = this.#walk(node.body, item);
      this.#variables.length = mark;
      if (flow === "break") break;
    }
    const flow = rounds === 0 && node.otherwise !== undefined ? this.#walk(node.otherwise, dot) : "on";
    this.#variables.length = declared;
    return flow;
  }

  /** Keys and items that a value is walked by. */
  *#rounds(value: Value, { variables }: Pipeline): Iterable<readonly [Value, Value]> {
    const { budget } = this.#rendering;
    if (value === undefined || value === null) return;
    if (value instanceof Int) {
      if (variables.length > 1)
        throw new FunctionFault(`can't use ${value.value} to iterate over more than one variable`);
      if (value.value > 0n) budget.items(value.value);
      for (let index = 0n; index < value.value; index += 1n) yield [undefined, new Int(index, value.type)];
    } else if (value instanceof List) {
      budget.items(value.items.length);
      for (const [index, item] of value.items.entries()) yield [new Int(index), item];
    } else if (value instanceof Dict) {
      budget.items(value.entries.size);
      for (const [key, item] of value.sortedKeys().map((name) => [name, value.entries.get(name)] as const))
        yield [key, item];
    } else {
      throw new FunctionFault(`range can't iterate over ${displayed(value, budget)}`);
    }
  }

  #bind({ variables, assigns }: Pipeline, key: Value, item: Value): void {
    const [first, second] = variables;
    if (first === undefined) return;
    if (assigns) {
      this.#set(first, second === undefined ? item : key);
      if (second !== undefined) this.#set(second, item);
      return;
    }
    const top = this.#variables.length - 1;
    this.#declare(top, item);
    if (second !== undefined) this.#declare(top - 1, key);
  }

  #declare(index: number, value: Value): void {
    const variable = this.#variables[index];
    if (variable !== undefined) this.#variables[index] = { name: variable.name, value };
  }

  #variable(name: string): Variable {
    const found = this.#variables.findLast((variable) => variable.name === name);
    if (found === undefined) throw new FunctionFault(`undefined variable: ${name}`);
    return found;
  }

  #set(name: string, value: Value): void {
    this.#variable(name).value = value;
  }

  #pipeline(pipeline: Pipeline, dot: Value): Value {
    this.#rendering.budget.enter();
    this.#at(pipeline);
    let value: Final = NONE;
    for (const command of pipeline.commands) value = this.#command(command, dot, value) ?? undefined;
    const result: Value = value === NONE ? undefined : value;
    for (const name of pipeline.variables)
      if (pipeline.assigns) this.#set(name, result);
      else this.#variables.push({ name, value: result });
    this.#rendering.budget.leave();
    return result;
  }

  #command(command: Command, dot: Value, final: Final): Value {
    const [first] = command.operands;
    this.#rendering.budget.step();
    switch (first.is) {
      case "field":
        this.#at(first);
        return this.#path(dot, dot, first.path, first, command.operands, final);
      case "chain":
        return this.#chain(first, dot, command.operands, final);
      case "call":
        return this.#called(first, dot, command, final);
      case "pipeline":
        this.#noArguments(command.operands, final);
        return this.#pipeline(first, dot);
      case "variable":
        return this.#variablePath(first, dot, command.operands, final);
      default:
        break;
    }
    this.#at(first);
    this.#noArguments(command.operands, final);
    if (first.is === "dot") return dot;
    if (first.is === "nil") throw new FunctionFault("nil is not a command");
    return first.is === "number" ? idealConstant(first.value) : first.value;
  }

  #noArguments(operands: readonly Operand[], final: Final): void {
    const [first] = operands;
    if ((operands.length > 1 || final !== NONE) && first !== undefined)
      throw new FunctionFault(`can't give argument to non-function ${sourceOf(first)}`);
  }

  #variablePath(
    operand: Extract<Operand, { is: "variable" }>,
    dot: Value,
    operands: readonly Operand[],
    final: Final,
  ): Value {
    this.#at(operand);
    const [name = "", ...path] = operand.path;
    const { value } = this.#variable(name);
    if (path.length > 0) return this.#path(dot, value, path, operand, operands, final);
    this.#noArguments(operands, final);
    return value;
  }

  #chain(
    operand: Extract<Operand, { is: "chain" }>,
    dot: Value,
    operands: readonly Operand[],
    final: Final,
  ): Value {
    this.#at(operand);
    if (operand.of.is === "nil")
      throw new FunctionFault(`indirection through explicit nil in ${sourceOf(operand)}`);
    const value = this.#argument(operand.of, dot, "value");
    return this.#path(dot, value, operand.path, operand, operands, final);
  }

  #path(
    dot: Value,
    receiver: Value,
    path: readonly string[],
    operand: Operand,
    operands: readonly Operand[],
    final: Final,
  ): Value {
    let value = receiver;
    for (const [index, name] of path.entries()) {
      const isLast = index === path.length - 1;
      value = this.#field(dot, value, name, operand, isLast ? operands : [], isLast ? final : NONE);
    }
    return value;
  }

  #field(
    dot: Value,
    receiver: Value,
    name: string,
    operand: Operand,
    operands: readonly Operand[],
    final: Final,
  ): Value {
    if (receiver === undefined) {
      if (this.#rendering.missingKey === "error")
        throw new MissingKeyFault(`nil data; no entry for key "${name}"`);
      return undefined;
    }
    if (receiver === null) throw new FunctionFault(`nil pointer evaluating interface {}.${name}`);
    const hasArguments = operands.length > 1 || final !== NONE;
    if (receiver instanceof TemplateObject) {
      const member = receiver.member(name);
      if (member !== undefined && "method" in member)
        return this.#call(member.method, name, dot, operands, final, () => this.#at(operand));
      if (member !== undefined && hasArguments)
        throw new FunctionFault(`${name} has arguments but cannot be invoked as function`);
      if (member !== undefined) return member.value;
    }
    if (receiver instanceof Dict || receiver instanceof List) {
      const method = receiver.method(name);
      if (method !== undefined)
        return this.#call(method, name, dot, operands, final, () => this.#at(operand));
    }
    if (receiver instanceof Dict) {
      if (hasArguments) throw new FunctionFault(`${name} is not a method but has arguments`);
      const value = receiver.entries.get(name);
      if (value !== undefined) return value;
      if (this.#rendering.missingKey === "error")
        throw new MissingKeyFault(`map has no entry for key "${name}"`);
      if (this.#rendering.missingKey === "invalid") return undefined;
      return receiver.of === "string" ? "" : null;
    }
    throw new MissingKeyFault(`can't evaluate field ${name} in type ${typeOf(receiver)}`);
  }

  #called(
    operand: Extract<Operand, { is: "call" }>,
    dot: Value,
    command: Command | undefined,
    final: Final,
  ): Value {
    this.#at(operand);
    const called = this.#rendering.functionNamed(operand.name);
    if (called === undefined) throw new FunctionFault(`"${operand.name}" is not a defined function`);
    const { at } = command ?? operand;
    return this.#call(called, operand.name, dot, command?.operands ?? [], final, () => {
      this.#place = {
        at,
        source: () => (command === undefined ? sourceOf(operand) : commandSource(command)),
      };
    });
  }

  #call(
    called: TemplateFunction,
    name: string,
    dot: Value,
    operands: readonly Operand[],
    final: Final,
    atCall: () => void,
  ): Value {
    const given = operands.slice(1);
    const count = given.length + (final === NONE ? 0 : 1);
    const { takes, rest } = called;
    if (rest === undefined ? count !== takes.length : count < takes.length)
      throw new FunctionFault(
        `wrong number of args for ${name}: want ${rest === undefined ? "" : "at least "}${takes.length} got ${count}`,
      );
    const typeAt = (index: number): ParameterType => takes[index] ?? rest ?? "value";
    if (called.lazy !== undefined) return this.#lazy(called.lazy, given, dot, final);
    const values = given.map((operand, index) => this.#argument(operand, dot, typeAt(index)));
    if (final !== NONE) values.push(fitted(final, typeAt(count - 1)));
    const { budget } = this.#rendering;
    const call: Call = {
      budget,
      name,
      render: (template, data) => this.#rendered(template, data),
      renderText: (template, text, data) => this.#renderedText(template, text, data),
    };
    try {
      budget.step();
      const value = called.run(values, call);
      if (typeof value === "string") budget.bytes(value.length);
      return value;
    } catch (fault) {
      atCall();
      if (fault instanceof FunctionFault)
        throw new FunctionFault(`error calling ${name}: ${fault.message}`, { cause: fault });
      if (fault instanceof TemplateError && fault.code !== "TEMPLATE_LIMIT")
        throw new FunctionFault(`error calling ${name}: ${fault.message}`, { cause: fault });
      throw fault;
    }
  }

  /** `and` and `or`, which look at no argument after the one that decides. */
  #lazy(stopsAt: boolean, given: readonly Operand[], dot: Value, final: Final): Value {
    let value: Value;
    for (const operand of given) {
      value = this.#argument(operand, dot, "value");
      if (isTrue(value) === stopsAt) return value;
    }
    return final === NONE ? value : final;
  }

  #rendered(template: string, data: Value): string {
    const definition = this.#rendering.definition(template);
    if (definition === undefined) throw new FunctionFault(`template "${template}" not defined`);
    return evaluate(this.#rendering, definition, data);
  }

  #renderedText(template: string, text: string, data: Value): string {
    this.#rendering.budget.step(text.length);
    const { rendering, definition } = this.#rendering.within(template, text);
    return evaluate(rendering, definition, data);
  }

  #argument(operand: Operand, dot: Value, type: ParameterType): Value {
    this.#at(operand);
    switch (operand.is) {
      case "dot":
        return fitted(dot, type);
      case "nil":
        return nilArgument(type);
      case "field":
        return fitted(this.#path(dot, dot, operand.path, operand, [], NONE), type);
      case "variable":
        return fitted(this.#variablePath(operand, dot, [], NONE), type);
      case "pipeline":
        return fitted(this.#pipeline(operand, dot), type);
      case "call":
        return fitted(this.#called(operand, dot, undefined, NONE), type);
      case "chain":
        return fitted(this.#chain(operand, dot, [], NONE), type);
      default:
        return literalAs(operand, type);
    }
  }
}

/**
 * The bytes that a definition prints for its data.
 * @throws TemplateError
 */
export function evaluate(rendering: Rendering, definition: Definition, data: Value): string {
  const out: string[] = [];
  new Evaluator(rendering, definition, out, data).run(data);
  return out.join("");
}
