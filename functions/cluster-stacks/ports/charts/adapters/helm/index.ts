import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type ArchiveLimits,
  DEFAULT_ARCHIVE_LIMITS,
  safePath,
} from "../../../../../../shared/archive/index.ts";
import { type Clock, systemClock } from "../../../../../../shared/clock/clock.ts";
import type { ChartSource, Charts, RenderRequest } from "../../contract.ts";
import { ChartError } from "../../errors.ts";
import { readChart } from "../chart/chart.ts";
import { kubernetesVersionOf, requireRequest } from "../chart/request.ts";
import { withinStack } from "../chart/stack.ts";
import { faultOf } from "./fault.ts";
import { documentsInOutput } from "./output.ts";
import { type Limits, run } from "./run.ts";

/** A helm binary, and the bounds of one run of it. */
export interface HelmCharts {
  /** The path of a binary of helm 3.17 or later. */
  readonly binary: string;
  readonly clock?: Clock;
  readonly archive?: Partial<ArchiveLimits>;
  readonly limits?: Partial<Limits>;
}

const DEFAULT_LIMITS: Limits = {
  timeMilliseconds: 60_000,
  // The limit is of addresses, of which helm reserves more than it uses: 118 objects take some 64 MiB of memory.
  memoryBytes: 4 * 2 ** 30,
  outputBytes: 64 * 2 ** 20,
};
const DEPTH = 10;
const MOST_CHARTS = 100;

/** Writes the chart, bounded and checked, into a folder of its own. Returns its path. */
async function written(source: ChartSource, folder: string): Promise<string> {
  if ("packed" in source) {
    const path = join(folder, "chart.tgz");
    await writeFile(path, source.packed);
    return path;
  }
  const chart = join(folder, "chart");
  for (const [path, content] of source.files) {
    if (safePath(path) !== path)
      throw new ChartError("CHART_UNREADABLE", `the path ${JSON.stringify(path)} leads out of the chart`);
    await mkdir(dirname(join(chart, path)), { recursive: true });
    await writeFile(join(chart, path), content);
  }
  return chart;
}

/** Charts rendered by a helm binary, which is given no server, no network's settings and no home. */
export function helmCharts({ binary, clock = systemClock, archive, limits }: HelmCharts): Charts {
  const bounds = { archive: { ...DEFAULT_ARCHIVE_LIMITS, ...archive }, depth: DEPTH, charts: MOST_CHARTS };
  const template = async (source: ChartSource, request: RenderRequest, folder: string): Promise<string> => {
    const values = join(folder, "values.json");
    await writeFile(values, JSON.stringify(request.values));
    const chart = await written(source, folder);
    const { given } = kubernetesVersionOf(request.kubernetesVersion);
    const ended = await run(
      binary,
      [
        ...["template", request.releaseName, chart, "--namespace", request.namespace, "--values", values],
        // Its own version of Kubernetes is another with each helm.
        ...["--kube-version", given],
        ...(request.includeCrds ? ["--include-crds"] : []),
      ],
      folder,
      { ...DEFAULT_LIMITS, ...limits },
      clock,
    );
    if (ended.code === 0) return ended.output;
    throw faultOf(ended.errors);
  };
  return {
    render: (source, request) =>
      withinStack(async () => {
        requireRequest(request);
        // A chart that is too large, none at all or not whole is refused here, whoever renders.
        await readChart(source, bounds);
        const folder = await mkdtemp(join(tmpdir(), "reveille-chart-"));
        try {
          return { documents: documentsInOutput(await template(source, request, folder)) };
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }),
  };
}
