/** The variables of an env file, or in words why it is none. The words tell lines, never what they hold. */
export type EnvFile =
  | { readonly variables: readonly (readonly [name: string, value: string])[] }
  | { readonly fault: string };

const BYTE_ORDER_MARK = "\uFEFF";
/** The spaces before a name, as Go knows them: the byte order mark is none. */
const SPACES = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const LONGEST_NAME = 253;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** True for the name of a variable that may be a key as well. */
const isEnvVarName = (name: string): boolean =>
  /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name) && name !== "." && !name.startsWith("..");

/** Reads lines of KEY=VALUE as kubectl does (`--from-env-file`): empty ones and comments are left out. */
export function readEnvFile(content: Uint8Array): EnvFile {
  const variables = new Map<string, string>();
  let start = 0;
  for (let number = 1; start < content.length; number++) {
    const newline = content.indexOf(0x0a, start);
    const end = newline < 0 ? content.length : newline;
    const line = content.subarray(start, end);
    start = end + 1;
    const text = decoded(line);
    if (text === undefined) return { fault: `line ${number} is no UTF-8` };
    const bare = (
      number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text
    ).replace(SPACES, "");
    if (bare === "" || bare.startsWith("#")) continue;
    const at = bare.indexOf("=");
    if (at < 0) return { fault: `line ${number} is no KEY=VALUE` };
    const name = bare.slice(0, at);
    if (!isEnvVarName(name)) return { fault: `line ${number} does not begin with the name of a variable` };
    if (name.length > LONGEST_NAME)
      return { fault: `the name in line ${number} is longer than ${LONGEST_NAME} characters` };
    if (variables.has(name)) return { fault: `line ${number} names a variable a second time` };
    variables.set(name, bare.slice(at + 1));
  }
  return { variables: [...variables] };
}

/** A line without the carriage return at its end; undefined where it is no UTF-8. */
function decoded(line: Uint8Array): string | undefined {
  try {
    return UTF8.decode(line.at(-1) === 0x0d ? line.subarray(0, -1) : line);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
