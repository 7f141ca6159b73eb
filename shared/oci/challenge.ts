/** A way of signing in that a server offers: its scheme in lower case, and its parameters. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
const SPACE = /[ \t]*/y;
const SEPARATORS = /[ \t,]*/y;
/** The longest header that is read. */
const MOST_CHARACTERS = 8192;

/** Reads a `WWW-Authenticate` header, in which several challenges may stand (RFC 9110, 11.6.1). What is none is left out. */
export function challengesOf(header: string): readonly Challenge[] {
  const text = header.slice(0, MOST_CHARACTERS);
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const found: { scheme: string; parameters: Record<string, string> }[] = [];
  for (;;) {
    take(SEPARATORS);
    const [name] = take(TOKEN) ?? [];
    if (name === undefined) return found;
    take(SPACE);
    if (text[at] !== "=") {
      found.push({ scheme: name.toLowerCase(), parameters: {} });
      continue;
    }
    at += 1;
    take(SPACE);
    const quoted = take(QUOTED)?.[1]?.replaceAll(/\\(.)/g, "$1");
    const value = quoted ?? take(TOKEN)?.[0];
    const last = found.at(-1);
    if (value === undefined || last === undefined) return found;
    last.parameters[name.toLowerCase()] = value;
  }
}
