import {
  builtins,
  type Data,
  FunctionFault,
  type Functions,
  TemplateError as LanguageError,
  parseTemplate,
  type TemplateFunction,
  TemplateObject,
  type Value,
} from "../../../../shared/templates/index.ts";

/** A manifest template is not one that this program can read. The message names the line. */
export class TemplateError extends Error {}

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

/** The levels to which conditions, parentheses and pipes may be nested. */
const MOST_NESTED = 100;
/** The longest part of an action that a message shows. */
const SHOWN = 60;

/** Pull specs by tag: one of them is a value, all of them are none. */
class Images extends TemplateObject {
  readonly type = "images";
  readonly kind = "struct";
  readonly #images: Readonly<Record<string, string>>;

  constructor(images: Readonly<Record<string, string>>) {
    super();
    this.#images = images;
  }

  member(tag: string): { readonly value: Value } {
    if (!Object.hasOwn(this.#images, tag)) throw new FunctionFault(`image-references has no tag "${tag}"`);
    return { value: this.#images[tag] };
  }

  toString(): string {
    throw new FunctionFault("name one of the images");
  }
}

function image(images: Value, tag: Value): Value {
  if (!(images instanceof Images) || typeof tag !== "string")
    throw new FunctionFault("index takes .Images and a tag");
  return images.member(tag).value;
}

const index: TemplateFunction = {
  takes: ["value", "value"],
  run: ([images, tag]) => image(images, tag),
};
/** The functions of a manifest, in the order in which a message names them. */
const NAMES = ["index", "eq", "ne", "not", "and", "or"];
const REFUSED = ["range", "with", "define", "block", "template", "break", "continue"];
const FUNCTIONS: Functions = {
  ...Object.fromEntries(Object.entries(builtins).filter(([name]) => NAMES.includes(name))),
  index,
  ...Object.fromEntries(REFUSED.map((word) => [word, { refused: "it is more than a manifest may ask for" }])),
};

/** Messages of the language, and what they are called here. */
const WORDS: Readonly<Record<string, string>> = {
  "unclosed action": "an action is not closed",
  "unclosed comment": "a comment is not closed",
  "comment ends before closing delimiter": "a comment has an action of its own",
  "unterminated quoted string": "a string is not closed",
  "unterminated raw quoted string": "a string is not closed",
  "missing value for command": "an action must hold one value",
  "unexpected EOF": "an if has no end",
  "unexpected {{end}}": "an end without an if",
  "unexpected {{else}}": "an else without an if",
  "expected end; found {{else}}": "an else after the else",
  "unclosed left paren": "a parenthesis is not closed",
  "unexpected right paren": '")" is one parenthesis too many',
};

function reasonOf({ code, reason, source = "", cause }: LanguageError): string {
  const shown = source.length > SHOWN ? `${source.slice(0, SHOWN)}…` : source;
  if (code === "TEMPLATE_VARIABLE_UNKNOWN") return `cannot read {{ ${shown} }}`;
  if (code === "TEMPLATE_FUNCTION_REFUSED") return `"${shown}" is more than a manifest may ask for`;
  if (code === "TEMPLATE_FUNCTION_UNKNOWN") return `"${shown}" is none of ${NAMES.join(", ")}`;
  if (reason === "invalid syntax") return `cannot read the string ${shown}`;
  if (/ has arguments$|^can't give argument to non-function /.test(reason))
    return "an action must hold one value";
  if (cause instanceof FunctionFault) return cause.message;
  return WORDS[reason.replace(/ started at .*$/, "").replace(/ in action$/, "")] ?? reason;
}

/**
 * Fills in a manifest of `manifests/`.
 * @throws TemplateError where it cannot be read, or asks for an image that the payload does not name.
 */
export function render(
  template: string,
  { ReleaseImage, ClusterProfile, Images: images }: TemplateValues,
): Rendered {
  const data: Data = { ReleaseImage, ClusterProfile, Images: new Images(images) };
  try {
    const parsed = parseTemplate("manifest", template, {
      builtins: {},
      functions: FUNCTIONS,
      nesting: MOST_NESTED,
    });
    return { text: parsed.execute(data) };
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error;
    if (error.code === "TEMPLATE_KEY_MISSING") return { unknownField: error.source ?? "" };
    throw new TemplateError(`line ${error.line ?? 1}: ${reasonOf(error)}`, { cause: error });
  }
}
