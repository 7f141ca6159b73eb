import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  Lexer,
  LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
} from "yaml";
import { MOST_LEVELS, MOST_WORDS, MOST_WORDS_IN_ALL, TOO_DEEP, TOO_LONG } from "./bounds.ts";

/** Signs of the lexer for a document that begins, and the line that says so. */
const DOCUMENT = "\u0002";
const DOCUMENT_START = "---";

/** The parts of the library's lexer that are none of its interface. */
const INDENT = "indentNext";
const WHEREVER = ["parseQuotedScalar", "parseFlowCollection"];

/**
 * A lexer that takes what libyaml takes, by which Kubernetes reads: what stands in quotes or brackets goes on at whatever column. The library
 * wants it further in than its key, and older generators of definitions wrote descriptions that are not.
 */
function kubernetesLexer(): Lexer {
  const lexer = new Lexer();
  for (const name of WHEREVER) {
    const parse = Reflect.get(lexer, name) as (this: Lexer) => Generator<string, unknown>;
    Reflect.set(lexer, name, function* () {
      const indent: unknown = Reflect.get(lexer, INDENT);
      Reflect.set(lexer, INDENT, 0);
      const next = yield* parse.call(lexer);
      Reflect.set(lexer, INDENT, indent);
      return next;
    });
  }
  return lexer;
}

/** A document of YAML, and its first fault in words. */
interface Composed {
  readonly document: Document;
  readonly fault: string | undefined;
}

/** True for a sign that makes nothing of its own: spaces, ends of lines, and what the lexer puts before a scalar. */
const isNothing = (lexeme: string): boolean => lexeme.trim() === "" || lexeme.charCodeAt(0) < 32;

/**
 * The documents of a text, one by one: what was made of one before need not be kept. Ends with the reason, in words, where it does not go on: what is
 * nested too deeply overflows the stack of a composer, and what is too long takes hundreds of times its size.
 */
export function* yamlIn(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): Generator<Composed, string | undefined, void> {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  let beyond: string | undefined;
  let words = 0;
  let before = 0;
  const tokens = function* (): Generator<CST.Token, void> {
    for (const lexeme of kubernetesLexer().lex(text)) {
      yield* parser.next(lexeme);
      if (lexeme === DOCUMENT || lexeme === DOCUMENT_START) {
        before += words;
        words = 1;
      } else if (!isNothing(lexeme)) words += 1;
      // The document and the scalar within the innermost map stand there, too.
      if (parser.stack.length > MOST_LEVELS + 2) beyond = TOO_DEEP;
      else if (words > MOST_WORDS || before + words > MOST_WORDS_IN_ALL) beyond = TOO_LONG;
      if (beyond !== undefined) return;
    }
    yield* parser.end();
  };
  for (const document of new Composer(options).compose(tokens())) {
    const [error] = document.errors;
    if (error === undefined) yield { document, fault: undefined };
    else {
      const { line, col } = lines.linePos(error.pos[0]);
      yield { document, fault: `${error.message.split("\n")[0]} at line ${line}, column ${col}` };
    }
  }
  return beyond;
}
