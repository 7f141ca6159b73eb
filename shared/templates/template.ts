import { builtins } from "./builtins.ts";
import { bytesOf, textOf } from "./bytes.ts";
import { TemplateError } from "./errors.ts";
import { evaluate, type MissingKey, type Rendering } from "./evaluate.ts";
import type { Functions, TemplateFunction } from "./function.ts";
import { Budget, type TemplateLimits } from "./limits.ts";
import { type Definition, isBlank } from "./nodes.ts";
import { definitionsOf, type KnowsFunction, MOST_NESTED } from "./parse.ts";
import { type Reference, referencesIn } from "./references.ts";
import { type Data, toValue } from "./values.ts";

/** The language of a set of templates. */
export interface TemplateOptions {
  /** The functions beside Go's own; one of the same name takes its place. */
  readonly functions?: Functions;
  /** Go's own functions; all of them unless said otherwise. */
  readonly builtins?: Functions;
  /** The levels to which conditions, loops, parentheses and pipes may nest. */
  readonly nesting?: number;
  /** The answer for a field that its map does not hold; `error` unless said otherwise. */
  readonly missingKey?: MissingKey;
}

/** Templates that know each other by name, each file under its own and what it defines. */
export class Templates {
  readonly #functions: ReadonlyMap<string, Functions[string]>;
  readonly #missingKey: MissingKey;
  readonly #nesting: number;
  readonly #definitions = new Map<string, Definition>();
  readonly #outer: Templates | undefined;
  /** The texts that were read while these were rendered, by name and text. */
  readonly #texts = new Map<string, Templates>();

  /** @param outer templates that these may call as well, and whose language they have. */
  constructor(options: TemplateOptions = {}, outer?: Templates) {
    const { functions = {}, missingKey = "error", nesting = MOST_NESTED } = options;
    this.#outer = outer;
    this.#functions =
      outer === undefined
        ? new Map([...Object.entries(options.builtins ?? builtins), ...Object.entries(functions)])
        : outer.#functions;
    this.#nesting = outer === undefined ? nesting : outer.#nesting;
    this.#missingKey = outer === undefined ? missingKey : outer.#missingKey;
  }

  /** The names of all templates. */
  get names(): readonly string[] {
    return [...this.#definitions.keys()].map(textOf);
  }

  has(name: string): boolean {
    return this.#definitions.has(bytesOf(name));
  }

  /**
   * Reads a file. What it defines takes the place of what was defined before, unless it is blank.
   * @throws TemplateError
   */
  parse(name: string, text: string): this {
    return this.#parse(bytesOf(name), bytesOf(text));
  }

  #parse(name: string, text: string): this {
    for (const [key, definition] of definitionsOf(name, text, this.#knows, this.#nesting)) {
      const there = this.#definitions.get(key);
      if (there === undefined || !isBlank(definition.body)) this.#definitions.set(key, definition);
    }
    return this;
  }

  /**
   * Renders a template. Several that are rendered against one account share its limits.
   * @throws TemplateError
   */
  execute(name: string, data: Data, limits?: Partial<TemplateLimits> | Budget): string {
    return textOf(this.executeToBytes(name, data, limits));
  }

  /** The same as bytes, one character each: templates may print what is no UTF-8. @throws TemplateError */
  executeToBytes(name: string, data: Data, limits?: Partial<TemplateLimits> | Budget): string {
    const definition = this.#definition(bytesOf(name));
    if (definition === undefined)
      throw new TemplateError("TEMPLATE_FAILED", `there is no template "${name}"`, {
        class: "exec",
        template: name,
      });
    const budget = limits instanceof Budget ? limits : new Budget(limits);
    return evaluate(this.#rendering(budget), definition, toValue(data));
  }

  #rendering(budget: Budget): Rendering {
    return {
      definition: this.#definition,
      functionNamed: this.#functionNamed,
      missingKey: this.#missingKey,
      budget,
      within: (name, text) => {
        const templates = this.#read(name, text);
        // What is read has been defined.
        const definition = templates.#definitions.get(name) ?? { name, source: { name, text }, body: [] };
        return { rendering: templates.#rendering(budget), definition };
      },
    };
  }

  /** A text that is read again and again, as in a loop, is read once. */
  #read(name: string, text: string): Templates {
    const key = `${name}\0${text}`;
    const there = this.#texts.get(key);
    if (there !== undefined) return there;
    const templates = new Templates({}, this).#parse(name, text);
    this.#texts.set(key, templates);
    return templates;
  }

  /** The fields, templates and functions that a template names, with their lines: found without data. */
  references(name: string): readonly Reference[] {
    const definition = this.#definition(bytesOf(name));
    return definition === undefined ? [] : referencesIn(definition, this.#definition);
  }

  readonly #definition = (name: string): Definition | undefined =>
    this.#definitions.get(name) ?? (this.#outer === undefined ? undefined : this.#outer.#definition(name));

  readonly #functionNamed = (name: string): TemplateFunction | undefined => {
    const found = this.#functions.get(name);
    return found === undefined || "refused" in found ? undefined : found;
  };

  readonly #knows: KnowsFunction = (name) => {
    const found = this.#functions.get(name);
    return found === undefined ? undefined : "refused" in found ? found : true;
  };
}

/** One file's template. */
export interface Template {
  readonly name: string;
  /** The text that it prints for its data. @throws TemplateError */
  execute(data: Data, limits?: Partial<TemplateLimits>): string;
  /** The fields, templates and functions that it names, with their lines: found without data. */
  references(): readonly Reference[];
}

/**
 * Reads one file. Unknown functions, refused ones and undefined variables are found here.
 * @throws TemplateError
 */
export function parseTemplate(name: string, text: string, options?: TemplateOptions): Template {
  const templates = new Templates(options).parse(name, text);
  return {
    name,
    execute: (data, limits) => templates.execute(name, data, limits),
    references: () => templates.references(name),
  };
}
