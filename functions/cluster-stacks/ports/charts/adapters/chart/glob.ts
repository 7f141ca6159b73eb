import { RE2JS } from "re2js";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** A class of characters as an expression has it: `[!a-z]` excludes. */
const classOf = (part: string): string => {
  const [, not = "", inner = ""] = /^\[([!^]?)([\s\S]*)\]$/.exec(part) ?? [];
  return `[${not === "" ? "" : "^"}${inner.replace(/[[\]^]/g, "\\$&")}]`;
};

/** The pattern of a `.helmignore`: no star crosses a slash. The expression takes time in proportion to the path. */
export function pathPattern(pattern: string): RE2JS {
  const source = pattern.replace(/\\[\s\S]|\[[^\]]+\]|[\s\S]/g, (part) => {
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.length > 1) return part.startsWith("\\") ? escaped(part.slice(1)) : classOf(part);
    return escaped(part);
  });
  return RE2JS.compile(`^${source}$`, RE2JS.DOTALL);
}

/** The pattern of `.Files.Glob`: two stars cross slashes, braces hold alternatives. */
export function globPattern(pattern: string): RE2JS {
  let depth = 0;
  const source = pattern.replace(/\\[\s\S]|\[[^\]]+\]|\*\*+|[\s\S]/g, (part) => {
    if (part === "*") return "[^/]*";
    if (part.startsWith("**")) return ".*";
    if (part === "?") return "[^/]";
    if (part.length > 1) return part.startsWith("\\") ? escaped(part.slice(1)) : classOf(part);
    if (part === "{") {
      depth += 1;
      return "(?:";
    }
    if (part === "}" && depth > 0) {
      depth -= 1;
      return ")";
    }
    return part === "," && depth > 0 ? "|" : escaped(part);
  });
  return RE2JS.compile(`^(?:${source})$`, RE2JS.DOTALL);
}
