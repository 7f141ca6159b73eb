import { fieldOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import { yamlOf } from "./yaml.ts";

const [CHART, REQUIREMENTS, CHARTS] = ["Chart.yaml", "requirements.yaml", "charts/"] as const;
type Files = ReadonlyMap<string, Uint8Array>;

/** A chart that lacks others, by its path from the outermost one. */
export interface LackingChart {
  readonly path: string;
  /** The names of those that it needs and `charts/` does not hold. */
  readonly lacks: readonly string[];
}

/** The charts among these files that need others which do not lie in them: nothing is fetched when they are rendered. */
export function lackingCharts(files: Files, path = ""): readonly LackingChart[] {
  const inside = below(files);
  const there = [...inside].map(([entry, of]) => nameOf(entry, of));
  const needed = dependenciesOf(files);
  // An archive that does not say in its name what it holds may hold anything.
  const lacks = there.includes(undefined) ? [] : [...new Set(needed)].filter((name) => !there.includes(name));
  return [
    ...(lacks.length === 0 ? [] : [{ path, lacks }]),
    ...[...inside].flatMap(([entry, of]) => lackingCharts(of, `${path}${CHARTS}${entry}/`)),
  ];
}

/** The files in `charts/` by its entries; helm passes over those with a dot or a line in front. */
function below(files: Files): ReadonlyMap<string, Files> {
  const entries = new Map<string, Map<string, Uint8Array>>();
  for (const [path, content] of files) {
    const [entry = "", ...rest] = path.startsWith(CHARTS) ? path.slice(CHARTS.length).split("/") : [];
    if (entry === "" || /^[._]/.test(entry) || entry.endsWith(".prov")) continue;
    const found = entries.get(entry) ?? new Map<string, Uint8Array>();
    entries.set(entry, found.set(rest.join("/"), content));
  }
  return entries;
}

/** The name of the chart that an entry of `charts/` holds; undefined where only unpacking it would tell. */
function nameOf(entry: string, files: Files): string | undefined {
  if (entry.endsWith(".tgz")) return /^(.+)-v?\d+\.\d+\.\d+[^/]*\.tgz$/.exec(entry)?.[1];
  return textOf(fieldOf(yamlIn(files, CHART), "name"));
}

function dependenciesOf(files: Files): readonly string[] {
  const chart = yamlIn(files, CHART);
  const declared = fieldOf(yamlIn(files, REQUIREMENTS), "dependencies") ?? fieldOf(chart, "dependencies");
  return listOf(declared).flatMap((one) => textOf(fieldOf(one, "name")) || []);
}

/** The document of a file; one that cannot be read is told by others. */
function yamlIn(files: Files, file: string): unknown {
  const content = files.get(file);
  return content === undefined ? undefined : yamlOf(file, content).value;
}
