import { type Expression, type Node, parseTemplate, TemplateError } from "./template-syntax.ts";

/** The values that a template in `manifests/` may ask for. */
export interface TemplateValues {
  /** The pull spec that is being applied. */
  readonly ReleaseImage: string;
  readonly ClusterProfile: string;
  /** Pull spec by tag name. */
  readonly Images: Readonly<Record<string, string>>;
}

/** The manifest, or the field that this program does not know: then a newer one will load it. */
export type Rendered = { readonly text: string } | { readonly unknownField: string };

class UnknownField extends Error {}

type Value = string | boolean | Readonly<Record<string, string>>;

const isTrue = (value: Value): boolean =>
  typeof value === "object" ? Object.keys(value).length > 0 : value !== "" && value !== false;

function image(images: Value, tag: Value): string {
  if (typeof images !== "object" || typeof tag !== "string")
    throw new TemplateError("index takes .Images and a tag");
  if (!Object.hasOwn(images, tag)) throw new TemplateError(`image-references has no tag "${tag}"`);
  return images[tag] ?? "";
}

const equal = (first: Value, others: readonly Value[]): boolean => others.some((other) => other === first);

const FUNCTIONS: Readonly<Record<string, (...values: readonly Value[]) => Value>> = {
  index: (images = "", tag = "") => image(images, tag),
  eq: (first = "", ...others) => equal(first, others),
  ne: (first = "", ...others) => !equal(first, others),
  not: (value = "") => !isTrue(value),
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1) ?? "",
  or: (...values) => values.find(isTrue) ?? values.at(-1) ?? "",
};

function evaluate(expression: Expression, values: TemplateValues): Value {
  switch (expression.is) {
    case "text":
      return expression.text;
    case "truth":
      return expression.truth;
    case "field": {
      const [first = "", second, ...more] = expression.path;
      if (!Object.hasOwn(values, first)) throw new UnknownField(`.${first}`);
      const found: Value = values[first as keyof TemplateValues];
      if (second === undefined) return found;
      if (typeof found === "string" || more.length > 0)
        throw new UnknownField(`.${expression.path.join(".")}`);
      return image(found, second);
    }
    case "call": {
      const call = Object.hasOwn(FUNCTIONS, expression.name) ? FUNCTIONS[expression.name] : undefined;
      if (call === undefined)
        throw new TemplateError(`"${expression.name}" is none of ${Object.keys(FUNCTIONS).join(", ")}`);
      return call(...expression.arguments.map((argument) => evaluate(argument, values)));
    }
  }
}

function textOf(nodes: readonly Node[], values: TemplateValues): string {
  return nodes
    .map((node) => {
      if (node.is === "text") return node.text;
      if (node.is === "if") {
        const taken = node.branches.find(
          ({ when }) => when === undefined || isTrue(at(node.line, when, values)),
        );
        return taken === undefined ? "" : textOf(taken.body, values);
      }
      const value = at(node.line, node.value, values);
      if (typeof value === "object") throw new TemplateError(`line ${node.line}: name one of the images`);
      return String(value);
    })
    .join("");
}

function at(line: number, expression: Expression, values: TemplateValues): Value {
  try {
    return evaluate(expression, values);
  } catch (error) {
    if (error instanceof TemplateError)
      throw new TemplateError(`line ${line}: ${error.message}`, { cause: error });
    throw error;
  }
}

/**
 * Fills in a manifest of `manifests/`.
 * @throws TemplateError where it cannot be read, or asks for an image that the payload does not name.
 */
export function render(template: string, values: TemplateValues): Rendered {
  const nodes = parseTemplate(template);
  try {
    return { text: textOf(nodes, values) };
  } catch (error) {
    if (error instanceof UnknownField) return { unknownField: error.message };
    throw error;
  }
}
