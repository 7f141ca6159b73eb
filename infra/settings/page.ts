import type { Setting } from "./outline.ts";

const BEGIN = "<!-- generated: the settings -->";
const END = "<!-- end of what is generated -->";

/** The page with the tables of these settings in place of those that it holds. */
export function withTables(page: string, outline: readonly Setting[]): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new TypeError(`The page lacks ${BEGIN} or ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${tables(outline)}\n\n${page.slice(end)}`;
}

/** A table for each group of the first level, and one for what stands alone. */
function tables(outline: readonly Setting[]): string {
  const groups = Map.groupBy(outline.filter(isValue), ({ path }) =>
    path.length === 1 ? "" : (path[0] ?? ""),
  );
  return [...groups]
    .sort(([one], [other]) => Number(one !== "") - Number(other !== ""))
    .map(([name, settings]) => {
      const title = name === "" ? "Which functions, where" : `\`${name}\``;
      return `### ${title}\n\n| setting | variable | default | meaning |\n|---|---|---|---|\n${settings.map(row).join("\n")}`;
    })
    .join("\n\n");
}

const isValue = ({ type, names }: Setting): boolean => type !== "group" || names === undefined;

function row({ path, variable, fallback, description, choices, secret }: Setting): string {
  const meaning = [
    sentence(description),
    choices === undefined || choices.every((one) => description.includes(`\`${one}\``))
      ? ""
      : `One of ${choices.map((one) => `\`${one}\``).join(", ")}.`,
    secret ? `Secret: name a file with \`${variable}_FILE\`.` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
  return `| \`${path.join(".")}\` | \`${variable}\` | ${shown(fallback)} | ${meaning.replaceAll("|", "\\|")} |`;
}

const sentence = (text: string): string => {
  const begun = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return begun === "" || begun.endsWith(".") ? begun : `${begun}.`;
};

function shown(value: unknown): string {
  if (value === undefined) return "";
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``.replaceAll("|", "\\|");
}
