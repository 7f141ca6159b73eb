import { ChartError } from "../../errors.ts";
import { pathPattern } from "./glob.ts";

/** One line of a `.helmignore`. */
interface Rule {
  readonly matches: (path: string) => boolean;
  readonly negated: boolean;
  /** True for a pattern that ends with a slash. */
  readonly foldersOnly: boolean;
}

const ALWAYS = "templates/.?*";

function ruleOf(line: string): Rule | undefined {
  let pattern = line.trim();
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  if (pattern.includes("**"))
    throw new ChartError("CHART_UNREADABLE", ".helmignore: two stars in a row mean nothing to helm", {
      file: ".helmignore",
    });
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern.startsWith("/")) {
    const glob = pathPattern(pattern.slice(1));
    return { matches: (path) => glob.matches(path), negated, foldersOnly };
  }
  const glob = pathPattern(pattern);
  const matches = pattern.includes("/")
    ? (path: string) => glob.matches(path)
    : (path: string) => glob.matches(path.slice(path.lastIndexOf("/") + 1));
  return { matches, negated, foldersOnly };
}

/** Tells the files that a `.helmignore` takes out of its folder: by their own path, or by that of a folder above. */
export function ignoring(text: string): (path: string) => boolean {
  const rules = [...text.split("\n"), ALWAYS].flatMap((line) => ruleOf(line) ?? []);
  const isIgnored = (path: string, isFolder: boolean): boolean =>
    rules.some(({ matches, negated, foldersOnly }) =>
      // A rule that is turned round takes away all that it does not name.
      negated ? (foldersOnly && !isFolder) || !matches(path) : (!foldersOnly || isFolder) && matches(path),
    );
  return (path) => {
    const parts = path.split("/");
    return parts.some((_, index) => isIgnored(parts.slice(0, index + 1).join("/"), index < parts.length - 1));
  };
}
