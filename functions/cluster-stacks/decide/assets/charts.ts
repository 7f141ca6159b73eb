import { fieldOf, textOf } from "../../../../shared/json/fields.ts";
import type { AssetFault } from "./fault.ts";
import { lackingCharts } from "./subcharts.ts";
import { yamlOf } from "./yaml.ts";

/** A chart: its version, and its files by their paths below its folder. */
export interface ChartFiles {
  readonly version: string;
  /** True where it has no objects of its own: only other charts come to use it. */
  readonly isLibrary: boolean;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const CHART = "Chart.yaml";

/** The charts of an archive by their folders, those at its top alone: what lies in a folder `charts/` belongs to its chart. */
export function chartsIn(
  archive: string,
  files: ReadonlyMap<string, Uint8Array>,
): { readonly charts: ReadonlyMap<string, ChartFiles>; readonly faults: readonly AssetFault[] } {
  const folders = new Map<string, Map<string, Uint8Array>>();
  for (const [path, content] of files) {
    const slash = path.indexOf("/");
    if (slash < 0) continue;
    const folder = path.slice(0, slash);
    const found = folders.get(folder) ?? new Map<string, Uint8Array>();
    folders.set(folder, found.set(path.slice(slash + 1), content));
  }
  const charts = new Map<string, ChartFiles>();
  const faults: AssetFault[] = [];
  for (const [folder, below] of folders) {
    const chart = below.get(CHART);
    if (chart === undefined) continue;
    const { value, faults: found } = yamlOf(`${archive}: ${folder}/${CHART}`, chart);
    if (found !== undefined) faults.push(...found);
    else
      charts.set(folder, {
        version: textOf(fieldOf(value, "version")),
        isLibrary: textOf(fieldOf(value, "type")) === "library",
        files: below,
      });
    for (const { path, lacks } of lackingCharts(below))
      faults.push({
        file: `${archive}: ${folder}/${path}${CHART}`,
        field: "dependencies",
        message: `charts/ does not hold ${lacks.join(", ")}: run \`helm dependency build\` in the chart's folder and pack the release with its subcharts, nothing is fetched here`,
      });
  }
  return { charts, faults };
}
