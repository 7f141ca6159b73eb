import { textOf } from "./bytes.ts";
import type { Definition, Node, Operand, Pipeline, TemplateCall } from "./nodes.ts";

/** A name that a template uses. */
export interface Reference {
  /** `field`: one of the data that the template is executed with, by its path. */
  readonly is: "field" | "template" | "function";
  /** `Params.Name`, a template's name, a function's name. */
  readonly name: string;
  /** The name under which the file was parsed, and the line in it. */
  readonly template: string;
  readonly line: number;
  /** True for a template that is not defined. */
  readonly missing?: boolean;
}

/** The meaning of dot and `$` where a part stands: the data, or something else that nobody knows before. */
interface Scope {
  readonly dotIsData: boolean;
  readonly rootIsData: boolean;
}

/** Collects the references of a template and of those that it calls. */
class Collector {
  readonly found: Reference[] = [];
  readonly #definition: (name: string) => Definition | undefined;
  readonly #seen = new Set<string>();
  readonly #lineEnds = new Map<string, readonly number[]>();

  constructor(definition: (name: string) => Definition | undefined) {
    this.#definition = definition;
  }

  definition(definition: Definition, isData: boolean): void {
    const key = `${isData} ${definition.name}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#body(definition.body, { dotIsData: isData, rootIsData: isData }, definition);
  }

  #body(body: readonly Node[], scope: Scope, within: Definition): void {
    for (const node of body) {
      if ("pipeline" in node && node.pipeline !== undefined) this.#pipeline(node.pipeline, scope, within);
      if (node.is === "template") this.#template(node, scope, within);
      if (node.is !== "if" && node.is !== "with" && node.is !== "range") continue;
      this.#body(node.body, node.is === "if" ? scope : { ...scope, dotIsData: false }, within);
      if (node.otherwise !== undefined) this.#body(node.otherwise, scope, within);
    }
  }

  #template(node: TemplateCall, { dotIsData, rootIsData }: Scope, within: Definition): void {
    const definition = this.#definition(node.name);
    this.#add("template", node.name, node.at, within, definition === undefined);
    const operands = node.pipeline?.commands.length === 1 ? node.pipeline.commands[0]?.operands : undefined;
    const [only] = operands?.length === 1 ? operands : [];
    const isData =
      (only?.is === "dot" && dotIsData) ||
      (only?.is === "variable" && only.path.join() === "$" && rootIsData);
    if (definition !== undefined) this.definition(definition, isData);
  }

  #pipeline(pipeline: Pipeline, scope: Scope, within: Definition): void {
    for (const { operands } of pipeline.commands)
      for (const operand of operands) this.#operand(operand, scope, within);
  }

  #operand(operand: Operand, scope: Scope, within: Definition): void {
    if (operand.is === "pipeline") this.#pipeline(operand, scope, within);
    else if (operand.is === "chain") this.#operand(operand.of, scope, within);
    else if (operand.is === "call") this.#add("function", operand.name, operand.at, within);
    else if (operand.is === "field" && scope.dotIsData)
      this.#add("field", operand.path.join("."), operand.at, within);
    else if (
      operand.is === "variable" &&
      operand.path[0] === "$" &&
      operand.path.length > 1 &&
      scope.rootIsData
    )
      this.#add("field", operand.path.slice(1).join("."), operand.at, within);
  }

  /** Texts are gone through once; after that a line is looked up. */
  #lineOf(text: string, at: number): number {
    let ends = this.#lineEnds.get(text);
    if (ends === undefined) {
      ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
      this.#lineEnds.set(text, ends);
    }
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }

  #add(is: Reference["is"], name: string, at: number, { source }: Definition, missing = false): void {
    const line = this.#lineOf(source.text, at);
    this.found.push({
      is,
      name: textOf(name),
      template: textOf(source.name),
      line,
      ...(missing && { missing }),
    });
  }
}

/** The references of a template, in the order in which they stand, and of the templates that it calls. */
export function referencesIn(
  definition: Definition,
  named: (name: string) => Definition | undefined,
): readonly Reference[] {
  const collector = new Collector(named);
  collector.definition(definition, true);
  return collector.found;
}
