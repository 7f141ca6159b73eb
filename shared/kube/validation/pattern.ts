import { RE2JS, RE2JSException } from "re2js";

/** A regular expression in the language of Go's RE2, which the server speaks: matched in linear time. */
class Pattern {
  readonly #compiled: RE2JS;
  /** Throws a SyntaxError where the source is no expression of that language. */
  constructor(source: string) {
    try {
      this.#compiled = RE2JS.compile(source);
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      throw new SyntaxError(error.message, { cause: error });
    }
  }

  /** True where the pattern is found anywhere in the text. */
  test(text: string): boolean {
    return this.#compiled.matcher(text).find();
  }

  /** The matches in their order; at most `most` of them, where it is not negative. */
  findAll(text: string, most = -1): string[] {
    const found: string[] = [];
    const matcher = this.#compiled.matcher(text);
    while (found.length !== most && matcher.find()) found.push(matcher.group() ?? "");
    return found;
  }
}

/** More sources than any set of CRDs has; rules may make patterns from what tenants write. */
const mostPatterns = 5_000;
const patterns = new Map<string, Pattern>();

/** The compiled pattern, kept for the next time. Throws a SyntaxError where the source is none. */
export function patternOf(source: string): Pattern {
  let made = patterns.get(source);
  if (made === undefined) {
    made = new Pattern(source);
    if (patterns.size >= mostPatterns) patterns.clear();
    patterns.set(source, made);
  }
  return made;
}
