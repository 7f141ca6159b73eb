import type { ArchiveLimits } from "../../../../../../shared/archive/index.ts";
import type { ChartSource } from "../../contract.ts";
import { ChartError } from "../../errors.ts";
import { fieldsIn } from "./documents.ts";
import { type ChartFiles, filesOfSource, unpacked } from "./files.ts";
import { type Metadata, metadataOf } from "./metadata.ts";

/** A chart that was read, with those that lie in it. */
export interface Chart {
  readonly metadata: Metadata;
  readonly values: Readonly<Record<string, unknown>>;
  readonly schema?: Uint8Array | undefined;
  /** The files below `templates/`, by their paths in the chart. */
  readonly templates: ChartFiles;
  /** Everything else that templates may ask for, and `crds/`. */
  readonly files: ChartFiles;
  readonly subcharts: readonly Chart[];
}

/** The bounds of what is read. */
export interface ReadLimits {
  readonly archive: ArchiveLimits;
  /** Charts within charts. */
  readonly depth: number;
  /** All charts together. */
  readonly charts: number;
}

/** Reads a chart and all that lie in it. A dependency that is not in there is an error: nothing is fetched. @throws ChartError */
export async function readChart(source: ChartSource, limits: ReadLimits): Promise<Chart> {
  const count = { charts: 0, bytes: 0 };
  const files = await filesOfSource(source, limits.archive);
  count.bytes = bytesOf(files);
  return read(files, limits, count, 1);
}

/** The account of all charts in one. */
interface Count {
  charts: number;
  /** Unpacked, those of charts in charts as well. */
  bytes: number;
}
const bytesOf = (files: ChartFiles): number =>
  [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);

async function nestedFiles(
  name: string,
  packed: Uint8Array,
  { archive }: ReadLimits,
  count: Count,
): Promise<ChartFiles> {
  const left = { ...archive, totalBytes: archive.totalBytes - count.bytes };
  const files = await unpacked(packed, left, `charts/${name}`);
  count.bytes += bytesOf(files);
  return files;
}

async function read(files: ChartFiles, limits: ReadLimits, count: Count, depth: number): Promise<Chart> {
  count.charts += 1;
  if (depth > limits.depth)
    throw new ChartError("CHART_LIMIT", `charts lie in each other more than ${limits.depth} levels deep`);
  if (count.charts > limits.charts)
    throw new ChartError("CHART_LIMIT", `there are more than ${limits.charts} charts in it`);
  const described = files.get("Chart.yaml");
  if (described === undefined)
    throw new ChartError("CHART_UNREADABLE", "it holds no Chart.yaml, so it is no chart", {
      file: "Chart.yaml",
    });
  const chart = fieldsIn("Chart.yaml", described);
  const isFirst = (chart.apiVersion ?? "v1") === "v1";
  const required = files.get("requirements.yaml");
  const metadata = metadataOf(chart, required && fieldsIn("requirements.yaml", required));
  const templates = new Map<string, Uint8Array>();
  const others = new Map<string, Uint8Array>();
  const nested = new Map<string, Map<string, Uint8Array>>();
  for (const [path, content] of files) {
    if (["Chart.yaml", "Chart.lock", "values.yaml", "values.schema.json"].includes(path)) continue;
    if (["requirements.yaml", "requirements.lock"].includes(path)) {
      if (isFirst) others.set(path, content);
    } else if (path.startsWith("templates/")) templates.set(path, content);
    else if (path.startsWith("charts/") && !path.endsWith(".prov")) {
      const [, name = "", ...rest] = path.split("/");
      const within = nested.get(name) ?? new Map<string, Uint8Array>();
      // A file that lies there alone makes no chart, and an archive is one file without a path.
      nested.set(name, within.set(rest.join("/"), content));
    } else others.set(path, content);
  }
  const subcharts: Chart[] = [];
  for (const [name, within] of [...nested].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const packed = name.endsWith(".tgz") ? within.get("") : undefined;
    if (/^[._]/.test(name)) continue;
    try {
      subcharts.push(
        await read(
          packed === undefined ? within : await nestedFiles(name, packed, limits, count),
          limits,
          count,
          depth + 1,
        ),
      );
    } catch (error) {
      if (!(error instanceof ChartError)) throw error;
      const file = `charts/${name}${error.file === undefined ? "" : `/${error.file}`}`;
      throw new ChartError(error.code, `charts/${name}: ${error.message}`, { file }, error);
    }
  }
  requireSubcharts(metadata, subcharts);
  const values = files.get("values.yaml");
  return {
    metadata,
    values: values === undefined ? {} : fieldsIn("values.yaml", values),
    schema: files.get("values.schema.json"),
    templates,
    files: others,
    subcharts,
  };
}

function requireSubcharts({ name, dependencies }: Metadata, subcharts: readonly Chart[]): void {
  const missing = dependencies
    .map((dependency) => dependency.name)
    .filter((needed) => !subcharts.some(({ metadata }) => metadata.name === needed));
  if (missing.length > 0)
    throw new ChartError(
      "CHART_DEPENDENCY_MISSING",
      `the chart ${name} needs ${[...new Set(missing)].join(", ")}, which charts/ does not hold: run \`helm dependency build\` in the chart's folder and pack the release with its subcharts, nothing is fetched here`,
      { file: "Chart.yaml" },
    );
}
