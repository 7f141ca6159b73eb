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
import { MOST_LEVELS, MOST_WORDS, TOO_DEEP, TOO_LONG } from "./bounds.ts";

/** A document of YAML, and its first fault in words. */
interface Composed {
  readonly document: Document;
  readonly fault: string | undefined;
}

/**
 * The documents of a text, up to the one that is nested too deeply, or too long: a composer that goes on with it overflows the stack, or
 * takes hundreds of times its size.
 */
export function yamlIn(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): { readonly documents: readonly Composed[]; readonly beyond: string | undefined } {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  let beyond: string | undefined;
  let words = 0;
  const tokens = function* (): Generator<CST.Token, void> {
    for (const lexeme of new Lexer().lex(text)) {
      yield* parser.next(lexeme);
      // The document and the scalar within the innermost map stand there, too.
      words += 1;
      if (parser.stack.length > MOST_LEVELS + 2) beyond = TOO_DEEP;
      else if (words > MOST_WORDS) beyond = TOO_LONG;
      if (beyond !== undefined) return;
    }
    yield* parser.end();
  };
  const documents = Array.from(new Composer(options).compose(tokens()), (document): Composed => {
    const [error] = document.errors;
    if (error === undefined) return { document, fault: undefined };
    const { line, col } = lines.linePos(error.pos[0]);
    return { document, fault: `${error.message.split("\n")[0]} at line ${line}, column ${col}` };
  });
  return { documents, beyond };
}
